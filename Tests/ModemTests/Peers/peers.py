"""Compares SMS PDUs with gammu and python-gsmmodem.

peers.py compare            reads lines {"number", "text", "reference", "parts": [hex]} and prints what differs
peers.py deliveries N SEED  prints N lines {"number", "text", "hex"}: PDUs of received messages, made by gammu
"""
import json
import random
import sys
from datetime import datetime, timedelta

import gammu
from gsmmodem import pdu

FIELDS = {
    "SMSC": {"Location": 0, "Name": "", "Number": "", "Validity": "1D", "Format": "Text", "DefaultNumber": ""},
    "Class": -1, "Folder": 1, "InboxFolder": 0, "Memory": "SM", "State": "UnSent", "Name": "", "DeliveryStatus": 0,
    "ReplyViaSameSMSC": 0, "RejectDuplicates": 0, "ReplaceMessage": 0, "MessageReference": 0, "Location": 0,
}
NO_HEADER = {"Type": "NoUDH", "Text": b"", "ID8bit": -1, "ID16bit": -1, "PartNumber": -1, "AllParts": -1}


def message(number, text, coding, header, report):
    return {**FIELDS, "Number": number, "Text": text, "Coding": coding, "UDH": header, "Length": len(text),
            "Type": "Status_Report" if report else "Submit"}


def without_centre(octets):
    return octets[1 + octets[0]:]


def gammu_differences(line):
    """Has gammu read every part, and write it again from what it read."""
    texts = []
    for index, text in enumerate(line["parts"]):
        ours = without_centre(bytes.fromhex(text))
        read = gammu.DecodePDU(ours, False)
        # Its Python binding takes the septets for characters, and reads on past the end when there are escapes.
        read["Text"] = read["Text"].split("\0")[0]
        if read["Number"] != line["number"]:
            yield f"gammu reads the number {read['Number']}"
        texts.append(read["Text"])
        header = NO_HEADER
        if len(line["parts"]) > 1:
            header = read["UDH"]
            if (header["ID8bit"], header["PartNumber"], header["AllParts"]) != (
                    line["reference"], index + 1, len(line["parts"])):
                yield f"gammu reads the header {header}"
        last = index == len(line["parts"]) - 1
        again = gammu.EncodePDU(message(line["number"], read["Text"], read["Coding"], header, last), "Submit")
        if without_centre(again) != ours:
            yield f"gammu writes {without_centre(again).hex()} for {ours.hex()}"
    if "".join(texts) != line["text"]:
        yield f"gammu reads the text {''.join(texts)!r}"


def gsmmodem_differences(line):
    """Has python-gsmmodem write the same message, and read ours."""
    theirs = pdu.encodeSmsSubmitPdu(
        line["number"], line["text"], reference=line["reference"], validity=timedelta(days=1))
    if len(theirs) != len(line["parts"]):
        yield f"gsmmodem makes {len(theirs)} parts"
        return
    for index, (part, text) in enumerate(zip(theirs, line["parts"])):
        expected = bytearray(part.data)
        if not line["number"].startswith("+"):
            expected[4] = 0x81  # It says "national" where we say "unknown", as phones do.
        expected[2] = 0  # It uses the reference of the parts for the message too.
        if index < len(theirs) - 1:
            expected[1] &= ~0x20  # It asks for a report for every part.
        if bytes(expected) != bytes.fromhex(text):
            yield f"gsmmodem writes {expected.hex()} for {text.lower()}"
        read = pdu.decodeSmsPdu(text)
        if read["number"] != line["number"]:
            yield f"gsmmodem reads the number {read['number']}"


def gsmmodem_knows(text):
    """Its table of the alphabet lacks some signs, and it counts characters beyond the basic plane as one code unit."""
    return not any(character in MISSING_IN_GSMMODEM or ord(character) >= 0x10000 for character in text)


def compare():
    differences = []
    lines = 0
    with_gsmmodem = 0
    for row in sys.stdin:
        line = json.loads(row)
        lines += 1
        found = list(gammu_differences(line))
        if gsmmodem_knows(line["text"]):
            with_gsmmodem += 1
            found += gsmmodem_differences(line)
        differences += [f"{line['number']} {line['text']!r}: {each}" for each in found]
    print(json.dumps({"compared": lines, "withGsmmodem": with_gsmmodem, "differences": len(differences), "first": differences[:5]}))


ALPHABET = "@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCXYZÄÖÑÜ§¿abcxyzäöñüà^{}\\[~]|€"



def is_missing_in_gsmmodem(character):
    try:
        pdu.encodeGsm7(character)
        return False
    except ValueError:
        return True


MISSING_IN_GSMMODEM = set(filter(is_missing_in_gsmmodem, ALPHABET))


def deliveries(count, seed):
    source = random.Random(seed)
    for _ in range(count):
        number = source.choice(["+", ""]) + str(source.randrange(1, 10 ** source.randrange(3, 15)))
        if source.random() < 0.3:
            coding, text = "Unicode_No_Compression", "".join(source.choice("नमस्ते बा १२३ abc") for _ in range(60))
        else:
            coding = "Default_No_Compression"
            text = "".join(source.choice(ALPHABET) for _ in range(source.randrange(1, 80)))
        entry = message(number, text, coding, NO_HEADER, False)
        entry["DateTime"] = entry["SMSCDateTime"] = datetime(2026, 11, 21, 10, 5, 30)
        entry["Type"] = "Deliver"
        print(json.dumps({"number": number, "text": text, "hex": gammu.EncodePDU(entry, "Deliver").hex()}))


if __name__ == "__main__":
    if sys.argv[1:2] == ["compare"]:
        compare()
    elif sys.argv[1:2] == ["deliveries"]:
        deliveries(int(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(__doc__)
