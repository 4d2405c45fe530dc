-- The number of the certificate of the measured distance, which stands in the evidence of a violation.
alter table public.highway_segments add column distance_certificate text
    check (length(distance_certificate) between 1 and 100 and distance_certificate = btrim(distance_certificate)
        and distance_certificate !~ '[[:cntrl:]]');
