// Passages, sightings and findings are told in plates and vehicle types: who imports them has those words too.
@_exported import Plates
