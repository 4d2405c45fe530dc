"""Makes the starter model: an alphabet and how it is coded, without a network and without dictionaries."""

import os
import subprocess

LATIN_SYMBOLS = list("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")


def make(folder, name, symbols):
    """Writes `folder/name/name.traineddata` for an alphabet of one-letter symbols. Returns its path."""
    made = os.path.join(folder, name, name + ".traineddata")
    if os.path.exists(made):
        return made
    os.makedirs(folder, exist_ok=True)
    table = os.path.join(folder, "unicharset")
    with open(table, "w", encoding="utf-8") as file:
        file.write(f"{len(symbols) + 1}\nNULL 0 Common 0\n")
        for i, c in enumerate(symbols, 1):
            # Kind bits of Tesseract: 1 alphabetic, 2 lower, 4 upper, 8 digit, 16 punctuation.
            kind = 8 if c.isdigit() else 5 if c.isupper() else 3 if c.islower() else 10
            kind = kind if c.isalnum() else 16
            script = "Common" if not c.isalpha() else "Latin"
            file.write(f"{c} {kind:x} 0,255,0,255,0,0,0,0,0,0 {script} {i} 0 {i} {c}\n")
    # The tool insists on the strokes of Han characters; an alphabet without Han needs none.
    with open(os.path.join(folder, "radical-stroke.txt"), "w", encoding="utf-8") as file:
        file.write("# no Han characters\n")
    subprocess.run(
        ["combine_lang_model", "--input_unicharset", table, "--script_dir", folder, "--lang", name,
         "--output_dir", folder, "--pass_through_recoder"],
        check=True, capture_output=True,
    )
    return made
