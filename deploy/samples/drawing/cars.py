"""Cars: front, front of a jeep, rear. 1 unit is 1 mm."""
from .pen import mix

GLASS_TOP, GLASS_LOW = (66, 82, 92), (22, 28, 32)
BLACK = (16, 16, 18)


def body(pen, cut, points, top, low):
    pen.shade(points, top, low)
    cut.poly(points, 255)


def wheels(pen, cut, left, right, top, ground, width):
    for x in (left, right):
        pen.shade((x, top, x + width, ground), (34, 34, 36), (12, 12, 12), 40)
        cut.rect(x, top, x + width, ground, 255, 40)
        for i in range(5):
            y = top + 40 + i * (ground - top - 60) / 5
            pen.line([(x + 10, y), (x + width - 10, y + 14)], (52, 52, 54), 7)


def cabin(pen, cut, colour, roof, base, mid, spread, rng, rear=False):
    """Roof, glass and what is seen through it; `spread` is (half roof, half base)."""
    top, low = spread
    light, dark = mix(colour, (255, 255, 255), 0.28), mix(colour, (0, 0, 0), 0.2)
    body(pen, cut, [(mid - low, base), (mid - top - 40, roof + 60), (mid - top + 70, roof), (mid + top - 70, roof), (mid + top + 40, roof + 60), (mid + low, base)], light, dark)
    glass = [(mid - low + 75, base - 18), (mid - top + 30, roof + 78), (mid + top - 30, roof + 78), (mid + low - 75, base - 18)]
    pen.shade(glass, GLASS_TOP, GLASS_LOW)
    for side in (-1, 1):
        x = mid + side * low * 0.42
        pen.oval(x, base - 190, 78, 92, (34, 32, 34))
        pen.shade((x - 130, base - 130, x + 130, base - 20), (44, 40, 42), (22, 20, 22), 50)
    shift = float(rng.uniform(-160, 160))
    pen.poly([(mid - 260 + shift, roof + 82), (mid - 120 + shift, roof + 82), (mid - 260 + shift, base - 24), (mid - 470 + shift, base - 24)], (96, 112, 120))
    if not rear:
        pen.rect(mid - 80, roof + 84, mid + 80, roof + 128, BLACK, 14)
        pen.rect(mid + low - 330, base - 150, mid + low - 200, base - 60, (206, 214, 120), 4)
        pen.text(mid + low - 265, base - 92, "TAX 83", 26, (60, 60, 60))
        for side in (-1, 1):
            pen.line([(mid + side * 80, base - 12), (mid + side * 80 + 420, base - 70)], BLACK, 9)
    else:
        pen.line([(mid - 60, base - 16), (mid + 300, base - 60)], BLACK, 10)
        for i in range(6):
            y = roof + 120 + i * (base - roof - 160) / 6
            pen.line([(mid - top, y), (mid + top, y)], (46, 52, 56), 3)


def mirrors(pen, cut, colour, y, left, right):
    for x in (left, right):
        pen.shade((x - 85, y - 62, x + 85, y + 62), mix(colour, (255, 255, 255), 0.2), mix(colour, (0, 0, 0), 0.45), 46)
        cut.rect(x - 85, y - 62, x + 85, y + 62, 255, 46)


def front(pen, cut, colour, rng, words, rider):
    light, dark = mix(colour, (255, 255, 255), 0.34), mix(colour, (0, 0, 0), 0.38)
    wheels(pen, cut, 190, 1690, 1240, 1590, 220)
    mirrors(pen, cut, colour, 640, 120, 1980)
    cabin(pen, cut, colour, 60, 690, 1050, (480, 800), rng)
    body(pen, cut, [(190, 790), (260, 680), (1840, 680), (1910, 790), (1950, 1040), (1930, 1400), (1790, 1490), (310, 1490), (170, 1400), (150, 1040)], light, dark)
    pen.shade([(270, 690), (1830, 690), (1740, 900), (360, 900)], mix(light, (255, 255, 255), 0.2), colour)
    for side in (-1, 1):
        pen.line([(1050 + side * 420, 700), (1050 + side * 330, 895)], dark, 6)
        x = 1050 + side * 690
        lens = [(x - side * 190, 890), (x + side * 170, 850), (x + side * 195, 960), (x + side * 130, 1030), (x - side * 160, 1000)]
        pen.shade(lens, (232, 238, 242), (120, 130, 138))
        pen.oval(x + side * 20, 945, 58, 58, (250, 250, 246), (90, 96, 100), 8)
        pen.oval(x - side * 100, 950, 34, 34, (196, 206, 212), (90, 96, 100), 6)
        pen.oval(1050 + side * 690, 1330, 62, 50, (206, 212, 214), (60, 60, 62), 12)
    pen.shade((560, 900, 1540, 1030), (30, 30, 32), (12, 12, 14), 40)
    for i in range(5):
        pen.line([(580, 920 + i * 23), (1520, 920 + i * 23)], (150, 154, 158), 6)
    pen.oval(1050, 962, 58, 50, (200, 204, 208), (70, 72, 76), 8)
    pen.text(1050, 976, "H", 40, (40, 42, 46))
    pen.line([(160, 1062), (1940, 1062)], dark, 8)
    pen.shade((520, 1270, 1580, 1420), (26, 26, 28), (10, 10, 12), 40)
    for i in range(26):
        pen.line([(545 + i * 40, 1285), (545 + i * 40, 1405)], (62, 62, 64), 5)
    pen.line([(520, 1345), (1580, 1345)], (70, 70, 72), 8)
    return {"plate": (1050, 1165), "lamps": [(380, 945, "white"), (1720, 945, "white")], "ground": 1590}


def jeep_front(pen, cut, colour, rng, words, rider):
    light, dark = mix(colour, (255, 255, 255), 0.3), mix(colour, (0, 0, 0), 0.42)
    wheels(pen, cut, 200, 1740, 1400, 1860, 260)
    mirrors(pen, cut, colour, 760, 110, 2090)
    cabin(pen, cut, colour, 90, 800, 1100, (660, 830), rng)
    body(pen, cut, [(230, 800), (1970, 800), (2010, 900), (2030, 1560), (1960, 1640), (240, 1640), (170, 1560), (190, 900)], light, dark)
    pen.rect(690, 40, 1510, 74, (40, 40, 42), 10)
    cut.rect(690, 40, 1510, 74, 255, 10)
    pen.shade((780, 960, 1420, 1230), (28, 28, 30), (12, 12, 14), 30)
    for i in range(8):
        pen.shade((805 + i * 76, 975, 840 + i * 76, 1215), (176, 180, 184), (110, 114, 118), 12)
    for side in (-1, 1):
        x = 1100 + side * 580
        pen.oval(x, 1080, 140, 140, (60, 62, 64))
        pen.oval(x, 1080, 120, 120, (226, 232, 236), (150, 156, 160), 10)
        pen.oval(x, 1080, 50, 50, (252, 252, 248))
        pen.shade((x - 90, 1250, x + 90, 1300), (236, 150, 40), (180, 96, 20), 10)
    pen.shade((190, 1330, 2010, 1560), (58, 58, 60), (22, 22, 24), 40)
    pen.line([(190, 1345), (2010, 1345)], (120, 120, 122), 10)
    for side in (-1, 1):
        pen.oval(1100 + side * 660, 1450, 66, 60, (220, 224, 210), (30, 30, 32), 14)
    if words:
        pen.text(1100, 925, words[0], 62, mix(colour, (0, 0, 0), 0.75) if sum(colour) > 380 else (230, 230, 226))
    return {"plate": (1100, 1450), "lamps": [(520, 1080, "white"), (1680, 1080, "white")], "ground": 1860}


def rear(pen, cut, colour, rng, words, rider):
    light, dark = mix(colour, (255, 255, 255), 0.32), mix(colour, (0, 0, 0), 0.38)
    wheels(pen, cut, 190, 1690, 1240, 1590, 220)
    cabin(pen, cut, colour, 60, 650, 1050, (520, 770), rng, rear=True)
    body(pen, cut, [(190, 760), (270, 630), (1830, 630), (1910, 760), (1950, 1040), (1920, 1410), (1780, 1490), (320, 1490), (180, 1410), (150, 1040)], light, dark)
    pen.line([(330, 660), (300, 1110), (1800, 1110), (1770, 660)], dark, 7)
    for side in (-1, 1):
        x = 1050 + side * 700
        lens = [(x - side * 150, 760), (x + side * 150, 740), (x + side * 190, 1000), (x - side * 60, 1010)]
        pen.shade(lens, (196, 26, 30), (110, 10, 14))
        pen.shade((x - 70, 890, x + 70, 935), (242, 170, 60), (214, 120, 30), 10)
        pen.rect(1050 + side * 690 - 120, 1330, 1050 + side * 690 + 120, 1368, (180, 24, 26), 10)
    pen.shade((640, 800, 1460, 860), (190, 194, 198), (120, 124, 128), 16)
    pen.text(520, 750, "TERAI", 46, (214, 216, 218))
    pen.text(1570, 750, "1.2 VX", 46, (214, 216, 218))
    pen.shade((660, 870, 1440, 1070), mix(colour, (0, 0, 0), 0.5), mix(colour, (0, 0, 0), 0.3), 30)
    pen.line([(170, 1160), (1930, 1160)], dark, 8)
    pen.shade((420, 1390, 1680, 1490), (36, 36, 38), (16, 16, 18), 30)
    if words:
        pen.text(1050, 600, words[0], 58, (232, 232, 226))
    return {"plate": (1050, 968), "lamps": [(350, 860, "red"), (1750, 860, "red")], "ground": 1590}
