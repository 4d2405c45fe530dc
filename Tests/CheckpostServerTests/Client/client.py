"""What a program written for Supabase does, with Supabase's own client, against the server that the environment names."""

import os
import sys
import uuid

from postgrest.exceptions import APIError
from supabase import create_client
from supabase_auth.errors import AuthApiError

URL = os.environ["SUPABASE_URL"]
ANON = os.environ["SUPABASE_ANON_KEY"]
SERVICE = os.environ["SUPABASE_SERVICE_ROLE_KEY"]
POST_A = "b0000000-0000-4000-8000-00000000000a"
POST_B = "b0000000-0000-4000-8000-00000000000b"
SEGMENT = "b0000000-0000-4000-8000-000000000002"
PARK = "b0000000-0000-4000-8000-000000000001"


def passage(plate, time, post=POST_A, **more):
    return {
        "client_id": str(uuid.uuid4()), "plate_number": plate, "vehicle_type": "car", "checkpost_id": post,
        "segment_id": SEGMENT, "recorded_at": time, "source": "app", **more,
    }


def expect_error(code, call):
    try:
        call()
    except (APIError, AuthApiError) as error:
        assert error.code == code, f"{error.code} instead of {code}: {error}"
        return
    raise AssertionError(f"no error where {code} was expected")


def sign_in(name):
    client = create_client(URL, ANON)
    answer = client.auth.sign_in_with_password({"email": f"{name}@bnp.local", "password": f"password-{name}"})
    assert answer.user.email == f"{name}@bnp.local"
    assert answer.session.access_token and answer.session.refresh_token
    return client


def auth(ranger):
    assert ranger.auth.get_user().user.email == "a@bnp.local"
    before = ranger.auth.get_session().refresh_token
    assert ranger.auth.refresh_session().session.refresh_token != before
    expect_error("invalid_credentials", lambda: create_client(URL, ANON).auth.sign_in_with_password(
        {"email": "a@bnp.local", "password": "wrong"}))


def admin_users(service):
    made = service.auth.admin.create_user({"email": "new@bnp.local", "password": "password-new", "email_confirm": True,
                                           "user_metadata": {"shift": "night"}}).user
    assert made.user_metadata["shift"] == "night"
    assert service.auth.admin.get_user_by_id(made.id).user.id == made.id
    assert made.id in [user.id for user in service.auth.admin.list_users()]
    service.auth.admin.update_user_by_id(made.id, {"password": "password-newer"})
    other = create_client(URL, ANON)
    other.auth.sign_in_with_password({"email": "new@bnp.local", "password": "password-newer"})
    other.auth.sign_out()
    service.auth.admin.delete_user(made.id)
    expect_error("user_not_found", lambda: service.auth.admin.get_user_by_id(made.id))


def insert_and_select(ranger):
    table = lambda: ranger.table("vehicle_passages")
    first = passage("BA 1 PA 1", "2026-11-21T10:00:00.250Z", confidence=0.9)
    row = table().insert(first).execute().data[0]
    assert row["client_id"] == first["client_id"] and row["segment_id"] == SEGMENT and row["server_seq"] > 0
    table().insert([passage("BA 1 PA 2", "2026-11-21T11:00:00+00:00"), passage("LU 2 CHA 3", "2026-11-21T12:00:00Z")]).execute()
    expect_error("23505", lambda: table().insert(first).execute())
    expect_error("42501", lambda: table().insert(passage("X1", "2026-11-21T10:00:00Z", POST_B)).execute())
    expect_error("23514", lambda: table().insert(passage("X1", "2026-11-21T10:00:00Z") | {"vehicle_type": "boat"}).execute())

    plates = lambda query: [found["plate_number"] for found in query.order("recorded_at").execute().data]
    every = ["BA 1 PA 1", "BA 1 PA 2", "LU 2 CHA 3"]
    select = lambda: table().select("plate_number,recorded_at")
    assert plates(select()) == every
    assert plates(select().eq("plate_number", "BA 1 PA 1")) == every[:1]
    assert plates(select().neq("plate_number", "BA 1 PA 1")) == every[1:]
    assert plates(select().gt("recorded_at", "2026-11-21T11:00:00+00:00")) == every[2:]
    assert plates(select().gte("recorded_at", "2026-11-21T16:45:00+05:45")) == every[1:]
    assert plates(select().lt("recorded_at", "2026-11-21T11:00:00Z")) == every[:1]
    assert plates(select().lte("recorded_at", "2026-11-21T11:00:00Z")) == every[:2]
    assert plates(select().like("plate_number", "BA%")) == every[:2]
    assert plates(select().ilike("plate_number", "%cha%")) == every[2:]
    assert plates(select().is_("matched_passage_id", "null")) == every
    assert plates(select().not_.is_("matched_passage_id", "null")) == []
    assert plates(select().in_("plate_number", ["BA 1 PA 1", "LU 2 CHA 3", 'with "quotes", and, commas'])) == [every[0], every[2]]
    assert plates(select().or_('plate_number.eq."BA 1 PA 1",plate_number.like.LU%')) == [every[0], every[2]]
    assert plates(select().match({"source": "app", "plate_number": "BA 1 PA 2"})) == every[1:2]

    page = table().select("*", count="exact").order("recorded_at", desc=True).limit(1).offset(1).execute()
    assert page.count == 3 and page.data[0]["plate_number"] == "BA 1 PA 2"
    ranged = table().select("plate_number", count="exact").order("recorded_at").range(1, 2).execute()
    assert [found["plate_number"] for found in ranged.data] == every[1:] and ranged.count == 3
    both = table().select("plate_number").order("recorded_at").limit(3).range(0, 1).execute()
    assert [found["plate_number"] for found in both.data] == every[:2]
    assert table().select("id", count="exact", head=True).execute().count == 3
    single = table().select("plate_number, checkposts(code, highway_segments(name, distance_km))").eq("id", row["id"]).single().execute()
    assert single.data["checkposts"]["highway_segments"]["distance_km"] == 45
    assert table().select("id").eq("plate_number", "none").maybe_single().execute() is None
    expect_error("PGRST116", lambda: table().select("id").single().execute())

    changed = table().update({"photo_path": f"passage-photos/{row['id']}.jpg"}).eq("id", row["id"]).execute()
    assert changed.data[0]["photo_path"] == f"passage-photos/{row['id']}.jpg"
    expect_error("42501", lambda: table().update({"is_entry": True}).eq("id", row["id"]).execute())
    again = table().upsert([first, passage("BA 1 PA 9", "2026-11-21T13:00:00Z")], on_conflict="client_id", ignore_duplicates=True).execute()
    assert [found["plate_number"] for found in again.data] == ["BA 1 PA 9"]
    return row["id"]


def upsert_and_delete(ranger):
    for count in (1, 2):
        rows = ranger.table("sync_metadata").upsert(
            {"device_id": "box", "pending_count": count, "user_id": ranger.auth.get_user().user.id},
            on_conflict="user_id,device_id").execute().data
        assert rows[0]["pending_count"] == count
    assert len(ranger.table("sync_metadata").select("*").execute().data) == 1
    assert ranger.table("sync_metadata").delete().eq("device_id", "box").execute().data[0]["device_id"] == "box"
    assert ranger.table("sync_metadata").select("*").execute().data == []


def match(other):
    exit_row = other.table("vehicle_passages").insert(passage("BA 1 PA 1", "2026-11-21T10:30:00Z", POST_B)).execute().data[0]
    assert exit_row["is_entry"] is False
    found = other.table("violations").select(
        "violation_type, entry:vehicle_passages!entry_passage_id(plate_number, checkposts(code)), violation_outcomes(outcome_type)"
    ).execute().data[0]
    assert found["violation_type"] == "speeding" and found["entry"]["checkposts"]["code"] == "BNP-A"
    assert found["violation_outcomes"] is None
    violation = other.table("violations").select("id").single().execute().data["id"]
    other.table("violation_outcomes").insert({"violation_id": violation, "outcome_type": "warned"}).execute()
    inner = other.table("violation_outcomes").select("id, violations!inner(violation_type)").eq("violations.violation_type", "overstay").execute()
    assert inner.data == []


def storage(ranger, passage_id):
    bucket = ranger.storage.from_("passage-photos")
    # Start, frame, scan, end.
    jpeg = bytes.fromhex("ffd8 ffc0000b08000100010101 1100 ffda0008010100003f00") + bytes(5000) + bytes([0xFF, 0xD9])
    name = f"{passage_id}.jpg"
    uploaded = bucket.upload(name, jpeg, {"content-type": "image/jpeg"})
    assert uploaded.path == name and uploaded.full_path == f"passage-photos/{name}"
    assert bucket.download(name) == jpeg
    # The same bytes again are no news; other bytes never take their place.
    assert bucket.upload(name, jpeg, {"content-type": "image/jpeg"}).path == name
    for options in [{}, {"upsert": "true"}]:
        try:
            bucket.upload(name, jpeg + b"2", {"content-type": "image/jpeg", **options})
        except Exception as error:
            assert "already exists" in str(error), error
        else:
            raise AssertionError("a photo was replaced")
    try:
        bucket.remove([name])
        raise AssertionError("a ranger removed a photo")
    except Exception as error:
        assert "warden" in str(error), error
    assert bucket.download(name) == jpeg
    assert bucket.remove([f"{uuid.uuid4()}.jpg"]) == []
    service = create_client(URL, SERVICE)
    assert [gone["name"] for gone in service.storage.from_("passage-photos").remove([name])] == [name]
    try:
        bucket.download(name)
        raise AssertionError("a removed photo was there")
    except Exception as error:
        assert "not found" in str(error).lower(), error


def functions(ranger, service):
    made = service.functions.invoke("create-ranger", invoke_options={"body": {
        "username": "gita", "password": "password-gita", "full_name": "Gita", "assigned_checkpost_id": POST_A,
        "assigned_park_id": PARK}})
    assert b'"ranger"' in made, made
    sign_in("gita")
    assert b"alerts_created" in service.functions.invoke("check-overstay", invoke_options={"body": {}})
    try:
        ranger.functions.invoke("check-overstay", invoke_options={"body": {}})
        raise AssertionError("a ranger ran the overstay round")
    except Exception as error:
        assert "permission denied" in str(error), error


def anonymous():
    client = create_client(URL, ANON)
    expect_error("42501", lambda: client.table("vehicle_passages").select("*").execute())


def main():
    ranger, other, service = sign_in("a"), sign_in("b"), create_client(URL, SERVICE)
    auth(ranger)
    admin_users(service)
    passage_id = insert_and_select(ranger)
    upsert_and_delete(ranger)
    match(other)
    storage(ranger, passage_id)
    functions(ranger, service)
    anonymous()
    print("the public client is content")


if __name__ == "__main__":
    sys.exit(main())
