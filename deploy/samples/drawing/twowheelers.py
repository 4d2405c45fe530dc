"""Motorcycles, scooters and auto-rickshaws from behind. 1 unit is 1 mm."""
from .cars import BLACK, body, wheels
from .pen import mix


def _tyre(pen, cut, top, ground, half):
    pen.shade((500 - half, top, 500 + half, ground), (40, 40, 42), (16, 16, 16), half * 0.8)
    cut.rect(500 - half, top, 500 + half, ground, 255, half * 0.8)
    for i in range(14):
        y = top + 20 + i * (ground - top - 40) / 14
        pen.line([(500 - half + 8, y + 22), (500, y), (500 + half - 8, y + 22)], (66, 66, 68), 7)


def _bars(pen, cut, y, colour):
    for side in (-1, 1):
        points = [(500 + side * 60, y + 40), (500 + side * 250, y), (500 + side * 390, y + 36)]
        for p, fill in ((pen, (34, 34, 36)), (cut, 255)):
            p.line(points, fill, 26)
            p.line([(500 + side * 290, y), (500 + side * 330, y - 150)], fill, 12)
            p.oval(500 + side * 350, y - 190, 84, 52, fill)
        pen.oval(500 + side * 350, y - 190, 70, 40, (120, 134, 144))


def _rider(pen, cut, rng):
    jacket = (int(rng.integers(30, 150)), int(rng.integers(30, 110)), int(rng.integers(40, 130)))
    light = mix(jacket, (255, 255, 255), 0.2)
    body(pen, cut, [(250, 560), (290, 250), (400, 190), (600, 190), (710, 250), (750, 560), (640, 640), (360, 640)], light, mix(jacket, (0, 0, 0), 0.4))
    pen.line([(500, 200), (500, 600)], mix(jacket, (0, 0, 0), 0.3), 6)
    for side in (-1, 1):
        body(pen, cut, [(500 + side * 210, 280), (500 + side * 260, 270), (500 + side * 360, 470), (500 + side * 300, 490)], light, mix(jacket, (0, 0, 0), 0.35))
        body(pen, cut, [(500 + side * 120, 600), (500 + side * 240, 560), (500 + side * 300, 900), (500 + side * 220, 920)], (52, 58, 78), (30, 34, 48))
    pen.oval(500, 115, 122, 110, (170, 24, 28))
    cut.oval(500, 115, 122, 110, 255)
    pen.oval(470, 80, 50, 30, (226, 120, 120))


def _indicators(pen, cut, y):
    for side in (-1, 1):
        for p, fill in ((pen, (30, 30, 32)), (cut, 255)):
            p.line([(500 + side * 90, y), (500 + side * 200, y)], fill, 18)
        pen.oval(500 + side * 230, y, 62, 40, (240, 170, 70), (60, 60, 60), 8)
        cut.oval(500 + side * 230, y, 62, 40, 255)


def motorcycle_rear(pen, cut, colour, rng, words, rider):
    _tyre(pen, cut, 800, 1370, 78)
    body(pen, cut, [(640, 930), (690, 900), (845, 1040), (842, 1110), (780, 1140)], (170, 172, 174), (70, 72, 74))
    pen.oval(812, 1092, 30, 34, BLACK)
    for side in (-1, 1):
        for p, fill in ((pen, (52, 54, 56)), (cut, 255)):
            p.line([(500 + side * 150, 640), (500 + side * 165, 1140)], fill, 34)
        for i in range(8):
            y = 700 + i * 40
            pen.line([(500 + side * 130, y), (500 + side * 182, y + 16)], (196, 40, 36), 12)
    _bars(pen, cut, 400, colour)
    if rider:
        _rider(pen, cut, rng)
    body(pen, cut, [(330, 560), (400, 480), (600, 480), (670, 560), (650, 680), (350, 680)], (40, 40, 42), (16, 16, 18))
    body(pen, cut, [(310, 620), (350, 590), (650, 590), (690, 620), (600, 790), (400, 790)], mix(colour, (255, 255, 255), 0.3), mix(colour, (0, 0, 0), 0.3))
    pen.shade([(370, 660), (630, 660), (580, 750), (420, 750)], (206, 30, 30), (120, 10, 14))
    pen.line([(390, 690), (610, 690)], (240, 130, 120), 8)
    pen.text(500, 640, words[0] if words else "150 X", 32, (232, 232, 230))
    _indicators(pen, cut, 800)
    body(pen, cut, [(420, 780), (580, 780), (600, 1160), (540, 1220), (460, 1220), (400, 1160)], (34, 34, 36), (20, 20, 22))
    return {"plate": (500, 830), "centred": False, "lamps": [(500, 705, "red")], "ground": 1370}


def scooter_rear(pen, cut, colour, rng, words, rider):
    _tyre(pen, cut, 960, 1370, 66)
    _bars(pen, cut, 380, colour)
    if rider:
        _rider(pen, cut, rng)
    body(pen, cut, [(270, 640), (350, 520), (650, 520), (730, 640), (740, 900), (640, 1090), (360, 1090), (260, 900)], mix(colour, (255, 255, 255), 0.35), mix(colour, (0, 0, 0), 0.35))
    body(pen, cut, [(340, 560), (400, 470), (600, 470), (660, 560), (600, 600), (400, 600)], (44, 42, 42), (18, 18, 20))
    pen.shade([(320, 650), (680, 650), (620, 760), (380, 760)], (206, 34, 34), (124, 12, 16))
    for side in (-1, 1):
        pen.shade([(500 + side * 190, 650), (500 + side * 250, 640), (500 + side * 230, 740), (500 + side * 170, 750)], (244, 176, 80), (210, 120, 40))
    pen.text(500, 640, words[0] if words else "CITY 110", 30, (236, 236, 234))
    body(pen, cut, [(740, 940), (810, 920), (830, 1120), (760, 1150)], (90, 92, 94), (40, 40, 42))
    body(pen, cut, [(400, 1050), (600, 1050), (580, 1240), (420, 1240)], (36, 36, 38), (20, 20, 22))
    return {"plate": (500, 800), "centred": False, "lamps": [(500, 705, "red")], "ground": 1370}


def auto_rear(pen, cut, colour, rng, words, rider):
    wheels(pen, cut, 230, 1230, 1500, 1860, 140)
    body(pen, cut, [(230, 300), (420, 90), (1180, 90), (1370, 300), (1400, 900), (200, 900)], (44, 46, 44), (24, 26, 24))
    pen.shade((480, 330, 1120, 700), (90, 102, 104), (34, 40, 42), 40)
    for side in (-1, 1):
        pen.oval(800 + side * 150, 560, 80, 92, (40, 34, 34))
        pen.line([(800 + side * 520, 120), (800 + side * 560, 890)], (70, 72, 70), 12)
    pen.text(800, 270, words[0] if words else "ॐ साईं राम", 84, (240, 214, 70))
    body(pen, cut, [(190, 890), (1410, 890), (1450, 1200), (1400, 1640), (200, 1640), (150, 1200)], mix(colour, (255, 255, 255), 0.25), mix(colour, (0, 0, 0), 0.35))
    pen.line([(180, 960), (1420, 960)], mix(colour, (0, 0, 0), 0.5), 10)
    pen.shade((350, 1010, 1250, 1110), (240, 236, 220), (206, 200, 184), 10)
    pen.text(800, 1092, words[1] if len(words) > 1 else "KEEP DISTANCE", 62, (160, 24, 24))
    for side in (-1, 1):
        x = 800 + side * 500
        pen.oval(x, 1200, 72, 72, (190, 28, 28), (70, 70, 70), 10)
        pen.oval(x, 1350, 56, 56, (240, 160, 50), (70, 70, 70), 10)
    for i in range(14):
        pen.line([(420 + i * 58, 1500), (420 + i * 58, 1600)], BLACK, 16)
    return {"plate": (800, 1320), "lamps": [(300, 1200, "red"), (1300, 1200, "red")], "ground": 1860}
