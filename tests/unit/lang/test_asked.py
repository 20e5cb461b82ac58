"""Filters read from the words of a question."""

import datetime
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paraqa.lang.asked import Asked, asked, ordered
from paraqa.lang.institutions import Directory
from paraqa.lang.registry import LANGUAGES
from paraqa.types import Affiliation, Filters, Period

TODAY = datetime.date(2026, 11, 30)
DIRECTORY = Directory([Affiliation(en="Snowflake"), Affiliation(en="NVIDIA", zh="英伟达公司")])
AUTHORS = frozenset(
    {"Ashish Vaswani", "Zhihao Jia", "Matei Zaharia", "Yang You", "张伟", "欧阳明高"}
)

NVIDIA, GOOGLE = Filters(institutions=("NVIDIA",)), Filters(institutions=("Google",))
TSINGHUA = Filters(institutions=("Tsinghua University",))


def read(question, today=TODAY):
    """What is read of a question."""
    return asked(question, today=today, directory=DIRECTORY, authors=AUTHORS)


def day(text):
    """A day, as in `2024-03`, where the first of the month is meant, or `2024`."""
    year, month, number = [*map(int, text.split("-")), 1, 1][:3]
    return datetime.date(year, month, number)


def since(text):
    """Filters from a day on."""
    return Filters(since=day(text))


def until(text):
    """Filters up to a day."""
    return Filters(until=day(text))


def years(first, last=None):
    """Filters for whole years."""
    return Filters(since=day(f"{first}"), until=day(f"{last or first}-12-31"))


def days(first, last=None):
    """Filters from one day to another, or for one day."""
    return Filters(since=day(first), until=day(last or first))


def any_of(*spans):
    """Filters for several spans of whole years, each `2019` or `2021-2023`."""
    ends = (span.split("-") for span in spans)
    return Filters(
        periods=tuple(Period(since=day(e[0]), until=day(f"{e[-1]}-12-31")) for e in ends)
    )


@pytest.mark.parametrize(
    ("question", "filters", "topic"),
    [
        ("papers in 2019 on MoE", years(2019), "papers on MoE"),
        ("What was published in 2019?", years(2019), "What was published?"),
        ("papers from 2019", years(2019), "papers"),
        ("papers that were published during 2019 on MoE", years(2019), "papers on MoE"),
        ("the papers of the year 2022", years(2022), "the papers"),
        ("Which 2024 papers are about training?", years(2024), "Which papers are about training?"),
        ("2021's papers on MoE", years(2021), "papers on MoE"),
        ("papers 2021-2023 on MoE", years(2021, 2023), "papers on MoE"),
        ("works between 2021 and 2023 on MoE", years(2021, 2023), "works on MoE"),
        ("papers from 2021 to 2023", years(2021, 2023), "papers"),
        ("papers in 2019 and 2020", years(2019, 2020), "papers"),
        ("papers in the 2010s", years(2010, 2019), "papers"),
        ("MoE papers since 2025", since("2025"), "MoE papers"),
        ("List the papers dated 2025 or later.", since("2025"), "List the papers."),
        ("papers from 2025 on", since("2025"), "papers"),
        ("papers from 2025 on MoE", years(2025), "papers on MoE"),
        ("papers from 2023 onwards on MoE", since("2023"), "papers on MoE"),
        ("papers in or after 2022", since("2022"), "papers"),
        ("papers not before 2022", since("2022"), "papers"),
        ("papers after 2020", since("2021"), "papers"),
        ("papers newer than 2024", since("2025"), "papers"),
        ("post-2022 work on MoE", since("2023"), "work on MoE"),
        ("papers before 2020 about GPUs", until("2019-12-31"), "papers about GPUs"),
        ("pre-2020 papers", until("2019-12-31"), "papers"),
        ("papers until 2020", until("2020-12-31"), "papers"),
        ("papers up to 2020", until("2020-12-31"), "papers"),
        ("papers by 2020", until("2020-12-31"), "papers"),
        ("papers no later than 2020", until("2020-12-31"), "papers"),
        ("papers from 2020 or earlier", until("2020-12-31"), "papers"),
        ("papers since March 2024", since("2024-03"), "papers"),
        ("papers since 2024-03-05", since("2024-03-05"), "papers"),
        ("papers in June 2025", Filters(since=day("2025-06"), until=day("2025-06-30")), "papers"),
        ("MoE work in the last two years", since("2024-11-30"), "MoE work"),
        ("papers of the past year", since("2025-11-30"), "papers"),
        ("the past 6 months", since("2026-05-30"), "papers"),
        ("papers from the last decade", since("2016-11-30"), "papers"),
        ("this year's papers on MoE", years(2026), "papers on MoE"),
        ("papers from last year", years(2025), "papers"),
        ("papers since last year", since("2025"), "papers"),
        ("MoE in recent years", since("2023-11-30"), "MoE"),
        ("papers since 2020 but before 2023", years(2020, 2022), "papers"),
    ],
)
def test_times_are_read_in_english(question, filters, topic):
    assert read(question)[:2] == (filters, topic)


@pytest.mark.parametrize(
    ("question", "filters", "topic"),
    [
        ("2019年的论文", years(2019), "论文"),
        ("2024年的论文里哪些是关于训练的?", years(2024), "论文里哪些是关于训练的?"),
        ("哪些论文是在2019年发表的?", years(2019), "哪些论文?"),
        ("二〇二四年的论文", years(2024), "论文"),
        ("２０２４年的论文", years(2024), "论文"),
        ("2010年代的论文", years(2010, 2019), "论文"),
        ("2021到2023年间的论文", years(2021, 2023), "论文"),
        ("2021至2023年之间关于MoE的研究", years(2021, 2023), "关于MoE的研究"),
        ("2021-2023年的论文", years(2021, 2023), "论文"),
        ("前年到今年的论文", years(2024, 2026), "论文"),
        ("2025年以来的流水线并行论文", since("2025"), "流水线并行论文"),
        ("列出2025年及以后的论文。", since("2025"), "列出论文。"),
        ("2025年起", since("2025"), "论文"),
        ("自2021年起发表的推理论文", since("2021"), "推理论文"),
        ("2022年至今的论文", since("2022"), "论文"),
        ("不早于2022年的论文", since("2022"), "论文"),
        ("2020年之后发表的论文有哪些?", since("2021"), "论文有哪些?"),
        ("2020年之後的論文", since("2021"), "論文"),
        ("晚于2021年的论文", since("2022"), "论文"),
        ("2020年以前的工作", until("2019-12-31"), "工作"),
        ("2020年之前的工作", until("2019-12-31"), "工作"),
        ("2019年及以前的论文", until("2019-12-31"), "论文"),
        ("截至2020年的论文", until("2020-12-31"), "论文"),
        ("2024年3月以来的论文", since("2024-03"), "论文"),
        ("2024年3月5日之后的论文", since("2024-03-06"), "论文"),
        ("近两年的MoE论文", since("2024-11-30"), "MoE论文"),
        ("近兩年哪些論文減少了氣泡?", since("2024-11-30"), "哪些論文減少了氣泡?"),
        ("最近三年有哪些关于推理的论文?", since("2023-11-30"), "有哪些关于推理的论文?"),
        ("最近半年的论文", since("2026-05-30"), "论文"),
        ("近年来关于MoE的研究", since("2023-11-30"), "关于MoE的研究"),
        ("今年的论文", years(2026), "论文"),
        ("去年发表的论文", years(2025), "论文"),
        ("前年的工作", years(2024), "工作"),
        ("去年以来的论文", since("2025"), "论文"),
    ],
)
def test_times_are_read_in_chinese(question, filters, topic):
    assert read(question)[:2] == (filters, topic)


@pytest.mark.parametrize(
    ("question", "filters", "topic"),
    [
        ("papers from 2019 or 2021", any_of("2019", "2021"), "papers"),
        ("papers in 2019 and 2021", any_of("2019", "2021"), "papers"),
        ("papers of 2019 or of 2021", any_of("2019", "2021"), "papers"),
        ("papers from 2019/2021", any_of("2019", "2021"), "papers"),
        ("2019 and 2021 papers on MoE", any_of("2019", "2021"), "papers on MoE"),
        (
            "papers from 2019, 2021 and 2023 on MoE",
            any_of("2019", "2021", "2023"),
            "papers on MoE",
        ),
        ("papers in 2019 or 2021 to 2023", any_of("2019", "2021-2023"), "papers"),
        ("papers in 2019 or 2020 or 2023", any_of("2019-2020", "2023"), "papers"),
        ("papers between 2019 and 2021", years(2019, 2021), "papers"),
        (
            "papers before 2015 or after 2020",
            Filters(periods=(Period(until=day("2014-12-31")), Period(since=day("2021")))),
            "papers",
        ),
        (
            "papers from March or May 2022",
            Filters(
                periods=(
                    Period(since=day("2022-03-01"), until=day("2022-03-31")),
                    Period(since=day("2022-05-01"), until=day("2022-05-31")),
                )
            ),
            "papers",
        ),
        ("papers from 2022, may I see them?", years(2022), "papers, may I see them?"),
        ("2016年或2026年的论文", any_of("2016", "2026"), "论文"),
        ("2019、2021和2023年的论文", any_of("2019", "2021", "2023"), "论文"),
        ("在2019年或2021年发表的论文有哪些?", any_of("2019", "2021"), "论文有哪些?"),
        ("2019年或者2021到2023年的论文", any_of("2019", "2021-2023"), "论文"),
        ("2019年和2020年的论文", years(2019, 2020), "论文"),
        ("今年或2023年的论文", any_of("2023", "2026"), "论文"),
        ("2022年3、4月的论文", days("2022-03-01", "2022-04-30"), "论文"),
        (
            "2022年3月和5月的论文",
            Filters(
                periods=(
                    Period(since=day("2022-03-01"), until=day("2022-03-31")),
                    Period(since=day("2022-05-01"), until=day("2022-05-31")),
                )
            ),
            "论文",
        ),
        (
            "2015年之前或2020年之后的论文",
            Filters(periods=(Period(until=day("2014-12-31")), Period(since=day("2021")))),
            "论文",
        ),
    ],
)
def test_of_several_times_any_is_enough(question, filters, topic):
    assert read(question)[:2] == (filters, topic)


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("papers from 2022/08", days("2022-08-01", "2022-08-31")),
        ("papers from 2022-08", days("2022-08-01", "2022-08-31")),
        ("papers from 08/2022", days("2022-08-01", "2022-08-31")),
        ("papers in Aug. 2022", days("2022-08-01", "2022-08-31")),
        ("papers since August 2022", since("2022-08")),
        ("papers before August 2022", until("2022-07-31")),
        ("papers of 3 August 2022", days("2022-08-03")),
        ("papers from August 3rd, 2022", days("2022-08-03")),
        ("papers since the 3rd of August 2022", since("2022-08-03")),
        ("papers before 2022/08/03", until("2022-08-02")),
        ("papers from August to October 2022", days("2022-08-01", "2022-10-31")),
        ("papers between August 2022 and March 2023", days("2022-08-01", "2023-03-31")),
        ("Q3 2022 papers", days("2022-07-01", "2022-09-30")),
        ("papers from 2022Q3", days("2022-07-01", "2022-09-30")),
        ("papers from the third quarter of 2022", days("2022-07-01", "2022-09-30")),
        ("papers between Q1 2022 and Q3 2022", days("2022-01-01", "2022-09-30")),
        ("papers from the first half of 2022", days("2022-01-01", "2022-06-30")),
        ("papers since H2 2022", since("2022-07")),
        ("papers from Q3 last year", days("2025-07-01", "2025-09-30")),
        ("papers until the end of 2022", until("2022-12-31")),
        ("papers since the beginning of 2022", since("2022")),
        ("papers from the beginning of 2020 to the end of 2022", years(2020, 2022)),
        ("2022年8月的论文", days("2022-08-01", "2022-08-31")),
        ("二〇二二年八月的论文", days("2022-08-01", "2022-08-31")),
        ("2022年8月3日的论文", days("2022-08-03")),
        ("2022/08的论文", days("2022-08-01", "2022-08-31")),
        ("2022-08-03以来的论文", since("2022-08-03")),
        ("2022年8月之前的论文", until("2022-07-31")),
        ("2022年3月到5月的论文", days("2022-03-01", "2022-05-31")),
        ("2022年3-5月的论文", days("2022-03-01", "2022-05-31")),
        ("2022年第三季度的论文", days("2022-07-01", "2022-09-30")),
        ("2022年三季度发表的论文", days("2022-07-01", "2022-09-30")),
        ("2022Q3的论文", days("2022-07-01", "2022-09-30")),
        ("2022年上半年的论文", days("2022-01-01", "2022-06-30")),
        ("2022年下半年以来的论文", since("2022-07")),
        ("去年上半年的论文", days("2025-01-01", "2025-06-30")),
        ("今年3月以来的论文", since("2026-03")),
        ("2022年上半年到2023年第一季度的论文", days("2022-01-01", "2023-03-31")),
        ("2022年初以来的论文", since("2022")),
        ("2022年底之前的论文", until("2022-12-31")),
        ("从2020年初到2022年底的论文", years(2020, 2022)),
    ],
)
def test_a_part_of_a_year_is_read_wherever_a_year_is(question, filters):
    assert read(question)[:2] == (filters, "论文" if question.endswith("论文") else "papers")


@pytest.mark.parametrize(
    ("question", "filters"),
    [
        ("papers before 2022 (inclusive)", until("2022-12-31")),
        ("papers before 2022, including 2022", until("2022-12-31")),
        ("papers before and including 2022", until("2022-12-31")),
        ("papers up to and including 2022", until("2022-12-31")),
        ("papers from 2019 up to and including 2022", years(2019, 2022)),
        ("papers from 2019 to 2021 inclusive", years(2019, 2021)),
        ("papers after 2022 (inclusive)", since("2022")),
        ("papers since 2022 (2022 included)", since("2022")),
        ("papers until 2022 (exclusive)", until("2021-12-31")),
        ("2022年之前(含2022年)的论文", until("2022-12-31")),
        ("2022年之前\uff08含2022年\uff09的论文", until("2022-12-31")),
        ("2022年(含)之前的论文", until("2022-12-31")),
        ("2022年以前,包括2022年的论文", until("2022-12-31")),
        ("2022年之后(含2022年)的论文", since("2022")),
        ("2022年之前(不含2022年)的论文", until("2021-12-31")),
        ("2019到2021年(含)的论文", years(2019, 2021)),
    ],
)
def test_what_is_said_of_the_bound_itself_is_read(question, filters):
    assert read(question)[:2] == (filters, "论文" if question.endswith("论文") else "papers")


@pytest.mark.parametrize(
    ("question", "order", "topic"),
    [
        ("newest papers on MoE", "newest", "papers on MoE"),
        ("What are the latest MoE papers?", "newest", "What are the MoE papers?"),
        ("Show me the most recent NVIDIA papers", "newest", "Show me the NVIDIA papers"),
        ("the newest of the MoE papers", "newest", "the MoE papers"),
        ("oldest papers on MoE", "oldest", "papers on MoE"),
        ("earliest work on pipelines", "oldest", "work on pipelines"),
        ("which paper on MoE is the most recent?", "newest", "which paper on MoE?"),
        ("which is the oldest paper?", "oldest", "which is the paper?"),
        ("newest papers on MoE, newest first", "newest", "papers on MoE"),
        ("papers on MoE sorted by date", "newest", "papers on MoE"),
        ("papers on MoE in chronological order", "oldest", "papers on MoE"),
        ("papers on MoE in reverse chronological order", "newest", "papers on MoE"),
        ("最新的MoE论文", "newest", "MoE论文"),
        ("最新的MoE論文", "newest", "MoE論文"),
        ("关于MoE的最新论文", "newest", "关于MoE的论文"),
        ("最新发表的关于MoE的论文", "newest", "关于MoE的论文"),
        ("最早的MoE论文", "oldest", "MoE论文"),
        ("哪篇关于MoE的论文最新?", "newest", "哪篇关于MoE的论文?"),
        ("最早的论文是哪篇?", "oldest", "论文是哪篇?"),
        ("MoE论文,按时间倒序", "newest", "MoE论文"),
        ("按时间从旧到新列出MoE论文", "oldest", "MoE论文"),
        ("关于MoE的论文(最新的在前)", "newest", "关于MoE的论文"),
        # of something else than papers, or of no certain one
        ("papers on the latest GPUs", None, "papers on the latest GPUs"),
        ("the latest version of DeepSpeed", None, "the latest version of DeepSpeed"),
        ("recent papers on MoE", None, "recent papers on MoE"),
        ("What does “The Latest Papers” say?", None, "What does “The Latest Papers” say?"),
        ("使用最新GPU的论文", None, "使用最新GPU的论文"),
        ("DeepSpeed的最新版本", None, "DeepSpeed的最新版本"),
        ("最近的论文", None, "最近的论文"),
        ("《最新的论文》讲什么?", None, "《最新的论文》讲什么?"),
    ],
)
def test_the_order_asked_for_is_read(question, order, topic):
    assert ordered(question) == (order, topic)


@pytest.mark.parametrize(
    ("question", "filters", "topic"),
    [
        ("Show me the papers from NVIDIA.", NVIDIA, "Show me the papers."),
        ("Are there any papers from Google?", GOOGLE, "Are there any papers?"),
        ("papers from nvidia", NVIDIA, "papers"),
        ("NVIDIA papers on MoE", NVIDIA, "papers on MoE"),
        ("NVIDIA MoE papers", NVIDIA, "MoE papers"),
        ("NVIDIA's work on pipelines", NVIDIA, "work on pipelines"),
        ("papers on scheduling by NVIDIA", NVIDIA, "papers on scheduling"),
        ("has Google worked on pipelines?", GOOGLE, "papers on pipelines?"),
        ("What has Google published on MoE?", GOOGLE, "papers on MoE?"),
        ("Who has worked on MoE at Google?", GOOGLE, "Who has worked on MoE?"),
        ("papers authored at Tsinghua", TSINGHUA, "papers"),
        ("papers with authors affiliated with THU", TSINGHUA, "papers"),
        ("papers with affiliation NVIDIA", NVIDIA, "papers"),
        ("papers written by people at Tsinghua", TSINGHUA, "papers"),
        ("Which paper was written at Google?", GOOGLE, "Which paper?"),
        ("the Google paper on sharding", GOOGLE, "the paper on sharding"),
        ("PAPERS FROM NVIDIA ABOUT MOE", NVIDIA, "PAPERS ABOUT MOE"),
        ("papers from 清华 on MoE", TSINGHUA, "papers on MoE"),
        ("Which paper is from Snowflake?", Filters(institutions=("Snowflake",)), "Which paper?"),
        ("有哪些论文来自NVIDIA?", NVIDIA, "有哪些论文?"),
        ("哪些論文來自清華大學?", TSINGHUA, "哪些論文?"),
        ("英伟达的论文", NVIDIA, "论文"),
        ("英伟达公司的论文", NVIDIA, "论文"),
        ("NVIDIA 的论文", NVIDIA, "论文"),
        ("英伟达有哪些关于MoE的论文?", NVIDIA, "有哪些关于MoE的论文?"),
        ("清华的流水线并行论文", TSINGHUA, "流水线并行论文"),
        ("谷歌发表的论文", GOOGLE, "论文"),
        ("由谷歌发表的论文", GOOGLE, "论文"),
        ("谷歌做过流水线并行吗?", GOOGLE, "做过流水线并行吗?"),
        ("谷歌在MoE方面的工作", GOOGLE, "在MoE方面的工作"),
        ("清华团队的工作", TSINGHUA, "工作"),
        ("出自清华的论文", TSINGHUA, "论文"),
        ("谁在英伟达做过流水线并行?", NVIDIA, "谁做过流水线并行?"),
        ("哪些论文的作者来自清华?", TSINGHUA, "哪些论文?"),
        ("有来自NVIDIA的吗?", NVIDIA, "有吗?"),
        ("papers from Google and NVIDIA", Filters(institutions=("Google", "NVIDIA")), "papers"),
        ("papers from ByteDance Inc.", Filters(institutions=("ByteDance",)), "papers"),
        ("ByteDance Inc.的论文", Filters(institutions=("ByteDance",)), "论文"),
        ("papers from Google LLC on MoE", GOOGLE, "papers on MoE"),
        ("papers from NVIDIA Corp.", NVIDIA, "papers"),
        ("北京字节跳动科技有限公司的论文", Filters(institutions=("ByteDance",)), "论文"),
        ("百度研究院的论文", Filters(institutions=("Baidu",)), "论文"),
        ("阿里巴巴集团有哪些论文?", Filters(institutions=("Alibaba",)), "有哪些论文?"),
        (
            "NVIDIA papers that cite work from Stanford",
            NVIDIA,
            "papers that cite work from Stanford",
        ),
        ("NVIDIA ICLR 2022 papers", NVIDIA, "ICLR 2022 papers"),
        (
            "compare papers from Google and NVIDIA",
            Filters(institutions=("Google", "NVIDIA")),
            "compare papers",
        ),
        ("英伟达的论文中引用了清华的工作的有哪些?", NVIDIA, "论文中引用了清华的工作的有哪些?"),
        ("来自清华和谷歌的论文", Filters(institutions=("Tsinghua University", "Google")), "论文"),
    ],
)
def test_institutions_are_read_where_the_origin_is_asked_for(question, filters, topic):
    assert read(question)[:2] == (filters, topic)


@pytest.mark.parametrize(
    ("question", "filters", "topic"),
    [
        ("papers in cs.AR", Filters(categories=("cs.AR",)), "papers"),
        ("What do cs.lg papers say?", Filters(categories=("cs.LG",)), "What do papers say?"),
        ("papers in cs.AR or cs.DC", Filters(categories=("cs.AR", "cs.DC")), "papers"),
        ("papers in category cs", Filters(categories=("cs",)), "papers"),
        ("papers in cond-mat.dis-nn", Filters(categories=("cond-mat.dis-nn",)), "papers"),
        ("cs.AR类别的论文", Filters(categories=("cs.AR",)), "论文"),
        ("属于cs.DC的论文有哪些", Filters(categories=("cs.DC",)), "论文有哪些"),
        ("cs.LG和cs.DC的论文", Filters(categories=("cs.LG", "cs.DC")), "论文"),
        ("papers by Ashish Vaswani on MoE", Filters(authors=("Ashish Vaswani",)), "papers on MoE"),
        ("ashish vaswani attention", Filters(authors=("Ashish Vaswani",)), "attention"),
        ("the paper by Jia on SOAP", Filters(authors=("Jia",)), "the paper on SOAP"),
        ("Vaswani's papers on MoE", Filters(authors=("Vaswani",)), "papers on MoE"),
        ("Jia et al. on SOAP", Filters(authors=("Jia",)), "on SOAP"),
        ("Jia等人的论文", Filters(authors=("Jia",)), "论文"),
        ("张伟的论文", Filters(authors=("张伟",)), "论文"),
        ("欧阳明高等人提出的方法", Filters(authors=("欧阳明高",)), "方法"),
        ("papers by Jia and Zaharia", Filters(authors=("Jia", "Zaharia")), "papers"),
    ],
)
def test_categories_and_authors_are_read(question, filters, topic):
    assert read(question)[:2] == (filters, topic)


@pytest.mark.parametrize(
    ("question", "filters", "topic"),
    [
        (
            "papers from NVIDIA since 2025 on inference",
            Filters(institutions=("NVIDIA",), since=day("2025")),
            "papers on inference",
        ),
        (
            "Which paper from Google, published in 2018, searches strategies?",
            Filters(institutions=("Google",), since=day("2018"), until=day("2018-12-31")),
            "Which paper, searches strategies?",
        ),
        (
            "Jia, 2019",
            Filters(authors=("Jia",), since=day("2019"), until=day("2019-12-31")),
            "papers",
        ),
        (
            "NVIDIA 2024 papers in cs.DC",
            Filters(
                institutions=("NVIDIA",),
                categories=("cs.DC",),
                since=day("2024"),
                until=day("2024-12-31"),
            ),
            "papers",
        ),
        (
            "英伟达2025年以来在MoE方面有哪些工作?",
            Filters(institutions=("NVIDIA",), since=day("2025")),
            "在MoE方面有哪些工作?",
        ),
    ],
)
def test_several_filters_hold_together(question, filters, topic):
    assert read(question)[:2] == (filters, topic)


@pytest.mark.parametrize(
    "question",
    [
        # hardware, products, data: no origin of a paper
        "Does it run on NVIDIA GPUs?",
        "What is the speed on NVIDIA A100?",
        "Which papers evaluate on NVIDIA V100 GPUs?",
        "How does Google's TPU work?",
        "Which system was trained on Amazon EC2?",
        "Compare it with Microsoft DeepSpeed.",
        "papers using data from Facebook",
        "papers about NVIDIA",
        "meta-learning papers",
        "在英伟达显卡上快多少?",
        "英伟达GPU上的推理论文",
        "使用英伟达GPU的论文",
        "来自Facebook的数据集",
        "与英伟达的Megatron相比如何?",
        "湖北大学的论文",
        # work that others have to do with
        "which papers cite work from Stanford?",
        "which papers cite work published by Stanford and by Google?",
        "papers that cite Stanford's work",
        "papers that outperform work from Google",
        "papers compared with methods from Microsoft",
        "methods faster than Google's systems",
        "papers that build on work by NVIDIA",
        "papers based on methods proposed by Google",
        "papers that use methods from researchers at Google",
        "which papers discuss work from Google?",
        "papers cited by Google",
        "papers citing Ashish Vaswani",
        "papers that cite Vaswani et al.",
        "哪些论文引用了清华的工作?",
        "哪些论文引用了来自清华的工作?",
        "哪些论文引用了由谷歌提出的方法?",
        "引用了多篇清华的论文",
        "哪些方法优于谷歌的方法?",
        "比谷歌的方法更快的论文",
        "与谷歌的方法相比,哪些论文更快?",
        "哪些论文比较了谷歌的方法?",
        "改进谷歌的方法的论文",
        "引用张伟的论文",
        # numbers that are no years
        "up to 2048 GPUs",
        "Which system scales to 2000 nodes?",
        "accuracy on ImageNet-2012",
        "BLEU on WMT 2014",
        "the CVPR 2019 dataset",
        "which ICLR 2024 papers?",
        "Llama 2 2024",
        "a batch size of 2048",
        "in 2048 GPUs",
        "用了2048张卡",
        "2019年数据集",
        # the year of a venue
        "ICLR 2022 papers",
        "iclr 2022 and 2023 papers",
        "2022 ICLR papers",
        "ICML (2022) papers on MoE",
        "papers on MoE at ICLR in 2022",
        "papers at SC 2021",
        "NeurIPS 2023 论文",
        "NeurIPS 2023年的论文",
        "2023年NeurIPS的论文",
        "OSDI 2022会议的论文",
        # not sharp enough, or no time
        "papers since early 2022",
        "early 2022 papers",
        "summer 2022 papers",
        "papers from mid-2022 to 2023",
        "papers from 2021 to early 2022",
        "papers between 2021 and late 2022",
        "papers from the end of 2022",
        "papers from around 2022",
        "papers from late last year",
        "papers from 08/03/2022",
        "papers 2019-21",
        "2022年年初的论文",
        "2022年中的论文",
        "2022年底的论文",
        "2022年末以后的论文",
        "2021年到2022年初的论文",
        "2022年左右的论文",
        "2022年8月初的论文",
        "2022年8月下旬的论文",
        "2022年春季的论文",
        "2022年后三个月的论文",
        "papers from early 2024",
        "2024年初的论文",
        "recent work on MoE",
        "最近的论文",
        # what is asked for, not what is given
        "Is FlexFlow from Google or from NVIDIA?",
        "Which of the two is from 2019?",
        "Was the paper published before 2020?",
        "Who is it from?",
        "Which university is behind FlexFlow?",
        "When was FlexFlow published?",
        "FlexFlow是清华的吗?",
        "FlexFlow是否来自谷歌?",
        "这篇论文是2019年还是2020年的?",
        "FlexFlow来自哪个机构?",
        "它是哪一年发表的?",
        # meant not to hold
        "papers apart from Google",
        # titles
        "What does 《2019年来自谷歌的论文》 say?",
        'What does "Papers from NVIDIA in 2019" say?',
        # no names, no categories
        "papers by far the best",
        "you can train yang you faster",
        "the cs.XX papers",
        "Does the cs of it matter?",
        "提高张伟度",
        # other languages
        "Welche Arbeiten von NVIDIA gibt es?",
        "パイプライン並列はどれ？",
        "",
        "?",
    ],
)
def test_what_is_only_mentioned_is_no_filter(question):
    assert read(question) == Asked(Filters(), question, ())


@pytest.mark.parametrize(
    ("question", "topic", "unwanted"),
    [
        ("papers not by NVIDIA", "papers", Filters(institutions=("NVIDIA",))),
        ("papers on energy not from 2022", "papers on energy", years(2022)),
        ("cs.AR papers not in cs.LG", "papers", Filters(categories=("cs.LG",))),
        ("不是来自NVIDIA的论文", None, Filters(institutions=("NVIDIA",))),
        ("除了谷歌以外的论文", None, Filters(institutions=("Google",))),
        ("英伟达以外的论文", None, Filters(institutions=("NVIDIA",))),
        ("2022年以外的论文", None, years(2022)),
        ("不是2023年的流水线论文", "流水线论文", years(2023)),
        ("papers not from 2019 or 2021", "papers", any_of("2019", "2021")),
    ],
)
def test_what_is_not_wanted_is_told_apart_from_what_is(question, topic, unwanted):
    found = read(question)
    assert found.without == (unwanted,)
    assert not found.filters.institutions
    assert found.filters.since is None
    assert topic is None or found.topic == topic


def test_the_phrases_that_were_read_are_told_as_typed():
    question = "Which papers from NVIDIA since 2025 deal with MoE?"
    assert read(question).read == ("from NVIDIA", "since 2025")


def test_the_end_of_february_a_year_ago_is_a_day():
    leap = datetime.date(2028, 2, 29)
    assert read("papers of the past year", leap).filters == since("2027-02-28")


def test_a_year_that_is_still_to_come_is_none():
    assert read("papers from 2027").filters
    assert not read("papers from 2028").filters


def test_a_text_of_nothing_but_filters_is_no_question():
    text = "2019年" * 300
    assert read(text) == Asked(Filters(), text, ())


_WORDS = (
    "papers from by since in and or of not on at is who the between published worked NVIDIA Google "
    "2020 2019 2021 2023 Jia cs.AR cs MoE March , ? ( ) - 's 。 《 》 的 论文 来自 清华 年 之后 "
    "近两年 今年 除了 有哪些 在 3月 等人 还是"
)
_PIECES = st.lists(
    st.sampled_from(
        [*_WORDS.split(), "Ashish Vaswani", "what has", "last year", "past two years", "et al."]
    ),
    max_size=12,
)


@given(st.one_of(st.text(), _PIECES.map(" ".join), _PIECES.map("".join)))
def test_a_topic_holds_no_filter_and_without_filters_is_the_question(text):
    first = read(text)
    assert not read(first.topic).filters
    assert bool(first.filters or first.without) == bool(first.read)
    if not first.read:
        assert first.topic == text


@given(st.text(alphabet=st.characters(categories=["Ll", "Zs", "Po"], max_codepoint=0x17F)))
def test_a_text_without_numbers_and_names_is_left_alone(text):
    assert read(text).topic == text or read(text).filters


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_patterns_of_a_language_can_be_compiled(code):
    asking = LANGUAGES[code].asking
    patterns = [pattern for _, pattern in asking.periods]
    patterns += [*asking.origins, *asking.authorship, *asking.categories]
    patterns += [asking.verifying, asking.dating, asking.excluding, asking.dangling]
    patterns += [asking.item, asking.unsharp, *(pattern for _, pattern in asking.orders)]
    patterns += [asking.mentioning]
    assert all(re.compile(pattern).search("") is None for pattern in patterns)
