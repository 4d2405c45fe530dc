-- The vehicle type of a text's code; null for an unknown one.
-- Called by record_sms and sms_problem.
create or replace function checkpost.sms_vehicle_type(code text) returns text
    language sql immutable strict as $$
    select case code
        when 'CAR' then 'car' when 'JSV' then 'jeep_suv' when 'MNB' then 'minibus' when 'BUS' then 'bus'
        when 'TRK' then 'truck' when 'TNK' then 'tanker' when 'MCY' then 'motorcycle' when 'ARK' then 'auto_rickshaw'
        when 'TRC' then 'tractor' when 'OTH' then 'other'
        -- Codes that earlier posts sent.
        when 'JEP' then 'jeep_suv' when 'MOT' then 'motorcycle' when 'MTK' then 'truck' when 'AUT' then 'auto_rickshaw'
    end
$$;

revoke all on function checkpost.sms_vehicle_type(text)
    from public, anon, authenticated, service_role, authenticator;
