"""The stills: what each picture shows."""
from .formats import bhutan, embossed, india, latin, provincial, zonal

WIDE, FULL, TALL = (1280, 720), (1920, 1080), (720, 1280)
SILVER, WHITE, RED, BLUE, GREY, BLACK, GREEN, YELLOW, BROWN = (
    (176, 180, 184), (224, 226, 226), (172, 32, 36), (38, 70, 132), (96, 100, 106), (36, 38, 42), (44, 104, 66), (226, 180, 40), (110, 78, 54))


def still(name, plate, shape, colour, glyph=28, **more):
    """One picture; `glyph` is the height in pixels of the digits in the plate's lowest row."""
    return {"name": name, "plate": plate, "shape": shape, "colour": colour, "glyph": glyph, "size": WIDE, "at": (0.5, 0.66), "yaw": 0.0,
            "pitch": 4.0, "roll": 0.0, "style": "road", "sky": "day", "words": [], "rider": False, "people": 0, "develop": {}, **more}


def clean():
    """Well lit, from the front, digits of 22 px and more."""
    bike = {"size": TALL, "at": (0.5, 0.60)}
    yield still("zonal_ba_car", zonal("बा", "2", "च", "7318", "private", on="car"), "car", SILVER, 40, style="checkpost")
    yield still("zonal_ko_motorcycle", zonal("को", "41", "प", "6052", "private", dots=True), "motorcycle", BLUE, 40, **bike)
    yield still("zonal_lu_taxi", zonal("लु", "1", "ज", "9406", "public", rows=1, font="noto"), "car", YELLOW, 34, style="market", people=2)
    yield still("zonal_na_bus", zonal("ना", "7", "ख", "2835", "public", rows=1), "bus", GREEN, 30, size=FULL, at=(0.5, 0.8), words=["नेपालगञ्ज - काठमाडौं", "शुभ यात्रा", "RAPTI YATAYAT"])
    yield still("zonal_me_truck", zonal("मे", "1", "क", "5924", "private", on="car", font="lohit"), "truck", BLUE, 34, at=(0.5, 0.8), sky="overcast", develop={"light": "overcast"})
    yield still("zonal_ja_jeep", zonal("ज", "3", "झ", "4017", "government", rows=1, font="gargi"), "jeep", WHITE, 32, words=["BANKE NATIONAL PARK"], style="checkpost")
    yield still("zonal_ga_motorcycle", zonal("ग", "2", "फ", "8145", "public", font="sahadeva"), "motorcycle", RED, 36, rider=True, style="market")
    yield still("zonal_ra_auto", zonal("रा", "1", "थ", "3769", "public", dots=True), "auto", GREEN, 34, style="market", people=1)
    yield still("zonal_bhe_scooter", zonal("भे", "12", "प", "5810", "private"), "scooter", RED, 44, **{**bike, "style": "wall"})
    yield still("province_bagmati_motorcycle", provincial("बागमती प्रदेश", "03", "019", "प", "4572", "private"), "motorcycle", BLACK, 38, **bike)
    yield still("province_5_car", provincial("प्रदेश ५", "02", "004", "च", "3819", "private", rows=2, on="car", font="noto"), "car_rear", GREY, 36)
    yield still("province_gandaki_car", provincial("गण्डकी प्रदेश", "01", "012", "च", "6240", "private", on="car"), "car", WHITE, 38, style="market", people=1)
    yield still("province_lumbini_bus", provincial("लुम्बिनी प्रदेश", "03", "007", "ख", "2196", "public", rows=2, on="car", width=540), "bus", RED, 34, size=FULL, at=(0.48, 0.8), words=["बुटवल - धनगढी", "जय माता दी", "LUMBINI EXPRESS"], style="checkpost")
    yield still("province_koshi_scooter", provincial("कोशी प्रदेश", "02", "021", "प", "1837", "private", font="lohit"), "scooter", BLUE, 38, at=(0.52, 0.62))
    yield still("embossed_b_car", embossed("B", "AF", "4821", "BAGMATI"), "car", RED, 36, style="checkpost")
    yield still("embossed_a_motorcycle", embossed("A", "BD", "7093", "LUMBINI", rows=2, font="din"), "motorcycle", GREY, 40, **bike)
    yield still("embossed_g_truck", embossed("G", "AB", "1568", "KARNALI", "public", font="narrow"), "truck", YELLOW, 30, at=(0.5, 0.8), words=["जय पशुपतिनाथ", "PUBLIC CARRIER"])
    yield still("embossed_k_scooter", embossed("K", "AE", "3074", "GANDAKI", rows=2), "scooter", WHITE, 42, **{**bike, "rider": True})
    yield still("india_up_car", india("UP 32 KT", "4817"), "car", WHITE, 36, frame=True, style="road")
    yield still("india_br_motorcycle", india("BR 06", "PC 2950", rows=2, font="narrow"), "motorcycle", RED, 38, at=(0.46, 0.62), style="market")
    yield still("india_uk_truck", india("UK 04", "TA 7163", rows=2, colour="yellow", width=400, font="dejavu", embossed=False), "truck_rear", BROWN, 34, at=(0.5, 0.72), words=["HORN PLEASE", "फेरि भेटौंला"])
    yield still("bhutan_car", bhutan("BP-1", "A3649"), "car", WHITE, 34)
    yield still("bhutan_taxi", bhutan("BT-2", "A0714", "yellow", rows=2), "car", GREEN, 36, style="market")
    yield still("europe_car", latin("KR 8T274", "eu", band="PL"), "car_rear", BLUE, 34, sky="overcast", develop={"light": "overcast"})
    yield still("brazil_car", latin("KLT-4829", "br", font="narrow", screws=2), "car", BLACK, 38, style="market")
    yield still("america_car", latin("7KRD294", "us", font="narrow", small="CALIFORNIA", screws=2), "car_rear", SILVER, 36)
    yield still("none_empty_road", None, None, None)
    yield still("none_shop_sign_car", None, "car_rear", GREEN, scale=0.32, words=["SHREE MART"], style="market", people=3)
    yield still("none_slogan_truck", None, "truck_rear", BLUE, scale=0.2, at=(0.5, 0.62), words=["BLOW HORN", "बुरी नजर वाले"], style="market")


def hard():
    """Dusk, night, rain, blur, an angle, dirt, or small."""
    night = {"light": "night", "noise": 3.2}
    infrared = {"light": "infrared", "noise": 3.8}
    dusk = {"light": "dusk", "noise": 3.0}
    bike = {"size": TALL, "at": (0.5, 0.60)}
    yield still("zonal_sa_motorcycle_dusk", zonal("स", "31", "प", "927", "private", dirt=0.35, tint=0.2), "motorcycle", BLACK, 34, **bike, sky="dusk", develop=dusk)
    yield still("zonal_saa_car_rain", zonal("सा", "2", "च", "4083", "private", on="car"), "car", BLUE, 32, sky="overcast", develop={"light": "overcast", "rain": 1.0, "defocus": 0.8})
    yield still("zonal_dha_auto_angle", zonal("ध", "1", "ह", "2094", "private", wobble=0.03), "auto", YELLOW, 30, yaw=22, roll=2)
    yield still("zonal_ka_truck_night", zonal("क", "1", "ग", "7306", "government", rows=1), "truck", WHITE, 28, at=(0.5, 0.78), develop=night)
    yield still("zonal_se_motorcycle_motion", zonal("से", "4", "ब", "1187", "government", font="lohit"), "motorcycle", BLUE, 34, develop={"motion": 5.0, "motion_angle": 60, "noise": 3.0}, rider=True)
    yield still("zonal_ma_bus_dusk", zonal("म", "2", "घ", "5290", "corporation", rows=1, dirt=0.2), "bus", BLUE, 26, at=(0.5, 0.82), sky="dusk", develop=dusk, words=["सुर्खेत - कोहलपुर", "सावधान", "MAHAKALI BUS"])
    yield still("zonal_ba_car_defocus", zonal("बा", "5", "ञ", "841", "corporation", on="car", font="noto"), "car", WHITE, 36, develop={"defocus": 2.0})
    yield still("zonal_na_motorcycle_angle", zonal("ना", "11", "म", "3657", "corporation"), "motorcycle", RED, 34, yaw=-24, roll=-3, at=(0.42, 0.62))
    yield still("zonal_lu_tractor_rain", zonal("लु", "2", "त", "1840", "private", on="car", wobble=0.04, dirt=0.3), "truck_rear", RED, 28, at=(0.5, 0.7), sky="overcast", develop={"light": "overcast", "rain": 0.8}, words=["जय किसान", "TRACTOR"])
    yield still("zonal_ba_tourist_night", zonal("बा", "1", "य", "502", "tourist", rows=1), "car", WHITE, 34, develop=night, style="checkpost")
    yield still("zonal_ko_pa_stencil", zonal("को", "3", "पा", "8814", "private", stencil=True, tint=0.15), "motorcycle", BLACK, 42, **bike)
    yield still("province_madhesh_short", provincial("मधेश प्र.", "03", "014", "प", "9062", "private", wobble=0.04, dirt=0.25), "motorcycle", GREY, 30, yaw=10, at=(0.55, 0.62))
    yield still("province_ba_short_dusk", provincial("बा. प्रदेश", "02", "031", "च", "5728", "private", rows=2, on="car"), "car", GREY, 32, sky="dusk", develop=dusk)
    yield still("province_karnali_truck_dirt", provincial("कर्णाली प्रदेश", "01", "002", "क", "741", "private", on="car", dirt=0.6, tint=0.3), "truck_rear", GREEN, 32, at=(0.5, 0.7), words=["OM TRANSPORT", "धीरे चलाऊ"])
    yield still("province_sudur_bus_night", provincial("सुदूरपश्चिम प्रदेश", "02", "005", "ज", "3908", "public", rows=2, on="car", width=540), "bus", GREEN, 30, at=(0.5, 0.8), develop=night, words=["धनगढी - महेन्द्रनगर", "शुभ यात्रा", "SETI EXPRESS"])
    yield still("province_6_car_small", provincial("प्रदेश ६", "01", "008", "च", "2671", "private", rows=2, on="car", font="noto"), "car", SILVER, 14, at=(0.44, 0.6), style="market", people=2)
    yield still("province_madhesh_motorcycle_night", provincial("मधेश प्रदेश", "01", "045", "प", "7350", "private"), "motorcycle", BLACK, 36, develop=infrared, at=(0.5, 0.6))
    yield still("zonal_bhe_motorcycle_small", zonal("भे", "6", "प", "3401", "private"), "motorcycle", RED, 15, at=(0.56, 0.6), rider=True, style="market", people=2)
    yield still("embossed_h_truck_angle", embossed("H", "AA", "219", "KOSHI", font="din"), "truck", YELLOW, 24, yaw=25, at=(0.42, 0.76), words=["CRANE SERVICE", "LOAD 12 TON"])
    yield still("embossed_c_auto_rain", embossed("C", "AC", "6402", "MADHESH", "public", rows=2), "auto", GREEN, 30, sky="overcast", develop={"light": "overcast", "rain": 1.0})
    yield still("embossed_f_minibus_small", embossed("F", "AB", "913", "BAGMATI", "public"), "bus", WHITE, 15, at=(0.5, 0.72), style="market", words=["MICRO BUS", "स्वागतम्", "DANG TULSIPUR"])
    yield still("embossed_diplomatic_night", embossed("B", "AA", "1746", "BAGMATI", "diplomatic"), "jeep", BLACK, 32, develop=night)
    yield still("embossed_e_tractor_dirt", embossed("E", "AB", "2306", "SUDURPASHCHIM", rows=2, dirt=0.5), "truck_rear", BLUE, 28, at=(0.5, 0.72), words=["किसान ट्रेलर", "SLOW VEHICLE"])
    yield still("embossed_b_car_motion", embossed("B", "AH", "5097", "LUMBINI", font="narrow"), "car", BLUE, 32, develop={"motion": 6.0, "motion_angle": 75, "noise": 3.0})
    yield still("india_dl_car_night", india("DL 8C AX", "4076"), "car", SILVER, 32, develop=infrared)
    yield still("india_mh_truck_dirt", india("MH 12", "QW 9354", rows=2, colour="yellow", width=400, dirt=0.5, font="dejavu", embossed=False), "truck_rear", BROWN, 24, at=(0.5, 0.7), yaw=-12)
    yield still("europe_car_angle", latin("B MK 4827", "eu", band="D", font="din"), "car", BLACK, 24, yaw=-25, at=(0.56, 0.66))
    yield still("brazil_car_blur", latin("RBM 4E71", "br", font="roboto", band=""), "car_rear", RED, 30, develop={"defocus": 1.8, "noise": 4.0})
    yield still("america_car_small", latin("8TRZ 163", "us", font="narrow", small="TEXAS"), "car_rear", WHITE, 17, at=(0.4, 0.6), style="market")
    yield still("none_headlights_night", None, "car", BLACK, scale=0.16, at=(0.5, 0.5), develop={"light": "night", "noise": 3.5, "all_dark": True})
    yield still("none_people_signs", None, None, None, style="market", people=6, develop={"noise": 3.0})
