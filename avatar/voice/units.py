"""Currencies and units: how they are written, and their names in both languages."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Currency:
    """A currency: English names of one and of several, of its hundredth, and its Chinese name.

    A currency that is not divided has "" for its hundredth.
    """

    one: str
    many: str
    cent: str
    cents: str
    chinese: str


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit: English names of one and of several, and its Chinese name."""

    one: str
    many: str
    chinese: str


_DOLLAR: Final = Currency("dollar", "dollars", "cent", "cents", "美元")
_POUND: Final = Currency("pound", "pounds", "penny", "pence", "英镑")
_EURO: Final = Currency("euro", "euros", "cent", "cents", "欧元")
_YUAN: Final = Currency("yuan", "yuan", "fen", "fen", "元")
_YEN: Final = Currency("yen", "yen", "sen", "sen", "日元")


def _dollar_of(nation: str, chinese: str) -> Currency:
    return Currency(f"{nation} dollar", f"{nation} dollars", "cent", "cents", chinese)


CURRENCIES: Final[dict[str, Currency]] = {
    "US$": _DOLLAR,
    "HK$": _dollar_of("Hong Kong", "港元"),
    "AU$": _dollar_of("Australian", "澳元"),
    "A$": _dollar_of("Australian", "澳元"),
    "CA$": _dollar_of("Canadian", "加元"),
    "C$": _dollar_of("Canadian", "加元"),
    "S$": _dollar_of("Singapore", "新加坡元"),
    "NZ$": _dollar_of("New Zealand", "新西兰元"),
    "NT$": _dollar_of("Taiwan", "新台币"),
    "$": _DOLLAR,
    "¢": Currency("cent", "cents", "", "", "美分"),
    "£": _POUND,
    "€": _EURO,
    "¥": _YUAN,
    "￥": _YUAN,
    "₩": Currency("won", "won", "jeon", "jeon", "韩元"),
    "₹": Currency("rupee", "rupees", "paisa", "paise", "卢比"),
    "USD": _DOLLAR,
    "usd": _DOLLAR,
    "AUD": _dollar_of("Australian", "澳元"),
    "CAD": _dollar_of("Canadian", "加元"),
    "SGD": _dollar_of("Singapore", "新加坡元"),
    "CHF": Currency("Swiss franc", "Swiss francs", "centime", "centimes", "瑞士法郎"),
    "GBP": _POUND,
    "EUR": _EURO,
    "RMB": _YUAN,
    "rmb": _YUAN,
    "CNY": _YUAN,
    "JPY": _YEN,
    "円": _YEN,
    "HKD": _dollar_of("Hong Kong", "港元"),
}

UNITS: Final[dict[str, Unit]] = {
    "km/h": Unit("kilometer per hour", "kilometers per hour", "公里每小时"),
    "kph": Unit("kilometer per hour", "kilometers per hour", "公里每小时"),
    "mph": Unit("mile per hour", "miles per hour", "英里每小时"),
    "m/s": Unit("meter per second", "meters per second", "米每秒"),
    "Mbps": Unit("megabit per second", "megabits per second", "兆比特每秒"),
    "Gbps": Unit("gigabit per second", "gigabits per second", "千兆比特每秒"),
    "fps": Unit("frame per second", "frames per second", "帧每秒"),
    "rpm": Unit("revolution per minute", "revolutions per minute", "转每分钟"),
    "kWh": Unit("kilowatt hour", "kilowatt hours", "千瓦时"),
    "mAh": Unit("milliamp hour", "milliamp hours", "毫安时"),
    "km": Unit("kilometer", "kilometers", "公里"),
    "cm": Unit("centimeter", "centimeters", "厘米"),
    "KM": Unit("kilometer", "kilometers", "公里"),
    "CM": Unit("centimeter", "centimeters", "厘米"),
    "MM": Unit("millimeter", "millimeters", "毫米"),
    "mm": Unit("millimeter", "millimeters", "毫米"),
    "nm": Unit("nanometer", "nanometers", "纳米"),
    "m²": Unit("square meter", "square meters", "平方米"),
    "㎡": Unit("square meter", "square meters", "平方米"),
    "cm²": Unit("square centimeter", "square centimeters", "平方厘米"),
    "sq ft": Unit("square foot", "square feet", "平方英尺"),
    "sq. ft": Unit("square foot", "square feet", "平方英尺"),
    "m³": Unit("cubic meter", "cubic meters", "立方米"),
    "m": Unit("meter", "meters", "米"),
    "kg": Unit("kilogram", "kilograms", "公斤"),
    "㎏": Unit("kilogram", "kilograms", "公斤"),
    "KG": Unit("kilogram", "kilograms", "公斤"),
    "mg": Unit("milligram", "milligrams", "毫克"),
    "g": Unit("gram", "grams", "克"),
    "lbs": Unit("pound", "pounds", "磅"),
    "lb": Unit("pound", "pounds", "磅"),
    "oz": Unit("ounce", "ounces", "盎司"),
    "fl oz": Unit("fluid ounce", "fluid ounces", "液量盎司"),
    "ct": Unit("carat", "carats", "克拉"),
    "gal": Unit("gallon", "gallons", "加仑"),
    "tbsp": Unit("tablespoon", "tablespoons", "汤匙"),
    "tsp": Unit("teaspoon", "teaspoons", "茶匙"),
    "ml": Unit("milliliter", "milliliters", "毫升"),
    "mL": Unit("milliliter", "milliliters", "毫升"),
    "ML": Unit("milliliter", "milliliters", "毫升"),
    "L": Unit("liter", "liters", "升"),
    "l": Unit("liter", "liters", "升"),
    "ft": Unit("foot", "feet", "英尺"),
    "in": Unit("inch", "inches", "英寸"),
    "yd": Unit("yard", "yards", "码"),
    "mi": Unit("mile", "miles", "英里"),
    "h": Unit("hour", "hours", "小时"),
    "hrs": Unit("hour", "hours", "小时"),
    "hr": Unit("hour", "hours", "小时"),
    "min": Unit("minute", "minutes", "分钟"),
    "mins": Unit("minute", "minutes", "分钟"),
    "s": Unit("second", "seconds", "秒"),
    "sec": Unit("second", "seconds", "秒"),
    "ms": Unit("millisecond", "milliseconds", "毫秒"),
    "kW": Unit("kilowatt", "kilowatts", "千瓦"),
    "W": Unit("watt", "watts", "瓦"),
    "V": Unit("volt", "volts", "伏"),
    "Hz": Unit("hertz", "hertz", "赫兹"),
    "kHz": Unit("kilohertz", "kilohertz", "千赫兹"),
    "MHz": Unit("megahertz", "megahertz", "兆赫兹"),
    "GHz": Unit("gigahertz", "gigahertz", "吉赫兹"),
    "TB": Unit("terabyte", "terabytes", "TB"),
    "GB": Unit("gigabyte", "gigabytes", "GB"),
    "MB": Unit("megabyte", "megabytes", "兆"),
    "KB": Unit("kilobyte", "kilobytes", "KB"),
    "MP": Unit("megapixel", "megapixels", "MP"),
    "kcal": Unit("kilocalorie", "kilocalories", "千卡"),
    "cal": Unit("calorie", "calories", "卡"),
    "dB": Unit("decibel", "decibels", "分贝"),
    "pcs": Unit("piece", "pieces", "件"),
    "°C": Unit("degree Celsius", "degrees Celsius", "摄氏度"),
    "℃": Unit("degree Celsius", "degrees Celsius", "摄氏度"),
    "°F": Unit("degree Fahrenheit", "degrees Fahrenheit", "华氏度"),
    "℉": Unit("degree Fahrenheit", "degrees Fahrenheit", "华氏度"),
    "°": Unit("degree", "degrees", "度"),
    '"': Unit("inch", "inches", "英寸"),
    "”": Unit("inch", "inches", "英寸"),
    "″": Unit("inch", "inches", "英寸"),
    "′": Unit("foot", "feet", "英尺"),
}
