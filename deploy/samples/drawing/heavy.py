"""Buses and trucks. 1 unit is 1 mm."""
from .cars import BLACK, body, wheels
from .pen import mix

PAINTS = [(220, 60, 40), (240, 190, 50), (40, 120, 190), (60, 150, 80), (230, 230, 220)]


def bus_front(pen, cut, colour, rng, words, rider):
    light, dark = mix(colour, (255, 255, 255), 0.25), mix(colour, (0, 0, 0), 0.4)
    second = PAINTS[int(rng.integers(len(PAINTS)))]
    wheels(pen, cut, 330, 2270, 2750, 3250, 300)
    body(pen, cut, [(230, 260), (360, 120), (2540, 120), (2670, 260), (2690, 2960), (210, 2960)], light, dark)
    pen.shade((520, 150, 2380, 420), (24, 26, 40), (14, 14, 22), 30)
    pen.text(1450, 350, words[0] if words else "नेपालगञ्ज - काठमाडौं", 120, (250, 190, 60))
    glass = [(300, 480), (2600, 480), (2630, 1640), (270, 1640)]
    pen.shade(glass, (86, 102, 112), (26, 32, 36))
    pen.poly([(700, 490), (1100, 490), (780, 1630), (420, 1630)], (112, 126, 134))
    pen.rect(1428, 480, 1472, 1640, BLACK)
    pen.oval(2060, 1230, 120, 140, (40, 34, 32))
    pen.shade((1880, 1330, 2240, 1630), (96, 100, 120), (54, 56, 70), 80)
    for i in range(28):
        x = 310 + i * 82
        pen.poly([(x, 482), (x + 76, 482), (x + 38, 560)], PAINTS[i % len(PAINTS)])
    pen.text(850, 690, words[1] if len(words) > 1 else "शुभ यात्रा", 90, (240, 226, 90))
    for side in (-1, 1):
        pen.line([(1450 + side * 300, 1630), (1450 + side * 300 + 540, 1430)], BLACK, 22)
        x = 1450 + side * 1330
        pen.shade((x - 75, 700, x + 75, 1120), (50, 50, 52), (20, 20, 22), 40)
        cut.rect(x - 75, 700, x + 75, 1120, 255, 40)
    pen.shade([(210, 1700), (2690, 1700), (2690, 1860), (1450, 2010), (210, 1860)], second, mix(second, (0, 0, 0), 0.3))
    pen.text(1450, 1860, words[2] if len(words) > 2 else "BANKE DELUXE", 120, (250, 250, 246), stroke=5)
    pen.shade((760, 2060, 2140, 2330), (34, 34, 36), (14, 14, 16), 40)
    for i in range(7):
        pen.line([(790, 2090 + i * 36), (2110, 2090 + i * 36)], (170, 174, 178), 10)
    for side in (-1, 1):
        for step in (0, 240):
            x = 1450 + side * (960 + step * 0.9)
            pen.oval(x, 2240, 112, 112, (228, 232, 236), (70, 70, 74), 16)
            pen.oval(x, 2240, 46, 46, (252, 252, 246))
        pen.shade((1450 + side * 1080 - 150, 2420, 1450 + side * 1080 + 150, 2480), (240, 150, 40), (190, 100, 20), 14)
    pen.shade((210, 2520, 2690, 2900), mix(second, (255, 255, 255), 0.1), mix(second, (0, 0, 0), 0.4), 40)
    pen.line([(210, 2545), (2690, 2545)], (230, 230, 226), 14)
    return {"plate": (1450, 2690), "lamps": [(450, 2240, "white"), (2450, 2240, "white")], "ground": 3250}


def truck_front(pen, cut, colour, rng, words, rider):
    light, dark = mix(colour, (255, 255, 255), 0.22), mix(colour, (0, 0, 0), 0.42)
    second = PAINTS[int(rng.integers(len(PAINTS)))]
    pen.shade((240, 60, 2660, 1000), (120, 88, 58), (88, 62, 40), 10)
    cut.rect(240, 60, 2660, 1000, 255, 10)
    for i in range(9):
        pen.line([(240, 160 + i * 96), (2660, 160 + i * 96)], (70, 50, 34), 10)
    wheels(pen, cut, 330, 2250, 2600, 3150, 320)
    body(pen, cut, [(380, 640), (470, 480), (2430, 480), (2520, 640), (2580, 2780), (320, 2780)], light, dark)
    pen.shade((520, 500, 2380, 740), second, mix(second, (0, 0, 0), 0.35), 30)
    pen.text(1450, 680, words[0] if words else "जय पशुपतिनाथ", 120, (252, 244, 220), stroke=5)
    pen.shade([(450, 790), (2450, 790), (2490, 1560), (410, 1560)], (82, 98, 106), (26, 32, 36))
    pen.rect(1432, 790, 1468, 1560, BLACK)
    pen.poly([(620, 800), (980, 800), (760, 1550), (430, 1550)], (108, 122, 130))
    pen.oval(1980, 1240, 110, 130, (42, 36, 34))
    for i in range(22):
        pen.oval(470 + i * 94, 800, 36, 50, PAINTS[(i * 2) % len(PAINTS)])
    pen.text(1450, 1740, words[1] if len(words) > 1 else "NATIONAL PERMIT", 92, (250, 246, 230), stroke=4)
    pen.shade((640, 1810, 2260, 2260), (36, 36, 38), (14, 14, 16), 50)
    for i in range(19):
        pen.line([(690 + i * 84, 1840), (690 + i * 84, 2230)], (120, 124, 128), 16)
    pen.oval(1450, 2030, 130, 120, (190, 194, 198), (60, 60, 62), 16)
    for side in (-1, 1):
        x = 1450 + side * 930
        pen.oval(x, 2120, 130, 130, (226, 230, 232), (60, 60, 64), 18)
        pen.oval(x, 2120, 50, 50, (252, 252, 246))
        pen.shade((x - 120, 2290, x + 120, 2350), (238, 150, 40), (184, 96, 20), 12)
        m = 1450 + side * 1190
        pen.shade((m - 80, 860, m + 80, 1300), (44, 44, 46), (18, 18, 20), 30)
        cut.rect(m - 80, 860, m + 80, 1300, 255, 30)
    pen.shade((280, 2420, 2620, 2780), (230, 190, 60), (150, 116, 30), 20)
    for i in range(13):
        x = 280 + i * 190
        if x + 180 < 900 or x > 1950:
            pen.poly([(x, 2430), (x + 90, 2430), (x + 180, 2770), (x + 90, 2770)], (30, 30, 30))
    cut.rect(280, 2420, 2620, 2780, 255, 20)
    return {"plate": (1450, 2600), "lamps": [(520, 2120, "white"), (2380, 2120, "white")], "ground": 3150}


def truck_rear(pen, cut, colour, rng, words, rider):
    second = PAINTS[int(rng.integers(len(PAINTS)))]
    for x in (260, 600, 1740, 2080):
        wheels(pen, cut, x, x, 2150, 2840, 300)
    body(pen, cut, [(220, 120), (2480, 120), (2480, 2060), (220, 2060)], mix(colour, (255, 255, 255), 0.15), mix(colour, (0, 0, 0), 0.35))
    for i in range(11):
        y = 190 + i * 165
        pen.line([(220, y), (2480, y)], mix(colour, (0, 0, 0), 0.5), 12)
    for x in (230, 800, 1350, 1900, 2400):
        pen.shade((x, 120, x + 70, 2060), mix(second, (255, 255, 255), 0.1), mix(second, (0, 0, 0), 0.4), 6)
    pen.shade((420, 980, 2280, 1300), second, mix(second, (0, 0, 0), 0.25), 20)
    pen.text(1350, 1210, words[0] if words else "HORN PLEASE", 170, (250, 246, 232), stroke=7)
    pen.text(1350, 720, words[1] if len(words) > 1 else "फेरि भेटौंला", 150, (250, 220, 80), stroke=7)
    for side in (-1, 1):
        pen.oval(1350 + side * 780, 1640, 180, 180, (230, 226, 210), second, 40)
        pen.oval(1350 + side * 780, 1640, 80, 80, (200, 40, 36))
    pen.shade((180, 2060, 2520, 2300), (60, 56, 54), (26, 24, 24), 10)
    cut.rect(180, 2060, 2520, 2300, 255, 10)
    for side in (-1, 1):
        x = 1350 + side * 960
        pen.shade((x - 130, 2110, x + 130, 2230), (190, 28, 28), (104, 12, 12), 16)
        pen.shade((x - 40, 2110, x + 40, 2230), (240, 160, 50), (200, 110, 30), 6)
        flap = 1350 + side * 840
        pen.shade((flap - 320, 2300, flap + 320, 2640), (30, 30, 30), (18, 18, 18), 10)
        cut.rect(flap - 320, 2300, flap + 320, 2640, 255, 10)
        pen.text(flap, 2520, "STOP" if side < 0 else "OK", 90, (196, 190, 176))
    pen.rect(520, 2300, 2180, 2420, (22, 20, 20))
    cut.rect(520, 2300, 2180, 2420, 255)
    return {"plate": (1350, 2210), "lamps": [(390, 2170, "red"), (2310, 2170, "red")], "ground": 2840}
