"""Medians, ratios and how they are printed."""

import dataclasses
import json
import statistics

from errors import BenchError

DISTURBED = 0.25  # cores used by other programs


@dataclasses.dataclass
class Figure:
    median: float
    low: float
    high: float
    disturbed: bool  # other programs disturbed every single run


@dataclasses.dataclass
class Row:
    """One metric beside one peer. peer is None in a benchmark without peers."""

    metric: str
    unit: str
    ours: Figure
    peer: str
    theirs: Figure
    goal: float = None  # the most that ours may be

    def is_reached(self):
        """None without a goal."""
        return None if self.goal is None or self.ours is None else self.ours.median <= self.goal

    def ratio(self):
        """ours / theirs, or theirs / ours of a rate: below one, ours is the better one."""
        if not self.ours or not self.theirs:
            return None
        over, under = self.ours.median, self.theirs.median
        if self.unit.endswith("/s"):
            over, under = under, over
        return over / under if under else None


def clean(runs):
    """The runs that no other program disturbed, or all of them if there is none."""
    return [r for r in runs if r.others < DISTURBED] or runs


def figures(runs):
    """metric -> (unit, Figure) of the runs of one program."""
    used = clean(runs)
    out = {}
    for r in used:
        for name, (unit, value) in r.metrics.items():
            out.setdefault(name, (unit, []))[1].append(value)
    disturbed = bool(used) and used[0].others >= DISTURBED
    return {name: (unit, Figure(statistics.median(v), min(v), max(v), disturbed)) for name, (unit, v) in out.items()}


def rows(case, ours, peers, goals=None, goal_ratios=None):
    """The rows of one case from our runs and a dict: peer -> its runs, none of them if it failed."""
    mine = figures(ours)
    theirs = {peer: figures(runs) for peer, runs in peers.items()} or {None: {}}
    out = []
    for name in dict.fromkeys(n for f in [mine, *theirs.values()] for n in f):
        for peer, f in theirs.items():
            units = {unit for unit, _ in filter(None, (mine.get(name), f.get(name)))}
            if len(units) == 2:
                raise BenchError('compare "%s": ours is in %s, %s in %s' % (name, mine[name][0], peer, f[name][0]))
            if not units:
                continue  # a metric of another peer
            figure = [x.get(name, (None, None))[1] for x in (mine, f)]
            metric = (case + "/" if case else "") + name
            goal = (goals or {}).get(metric)
            if figure[1] and metric in (goal_ratios or {}):
                goal = goal_ratios[metric] * figure[1].median
            out.append(Row(metric, units.pop(), figure[0], peer, figure[1], goal))
    return out


def json_line(benchmark, row):
    line = {"benchmark": benchmark, "metric": row.metric, "unit": row.unit, "ours": row.ours and row.ours.median,
            "peer": row.peer, "theirs": row.theirs and row.theirs.median, "ratio": row.ratio()}
    for side, figure in (("ours", row.ours), ("theirs", row.theirs)):
        line[side + "_min"] = figure and figure.low
        line[side + "_max"] = figure and figure.high
    if row.goal is not None:
        line.update(goal=row.goal, ok=row.is_reached())
    line["disturbed"] = any(f.disturbed for f in (row.ours, row.theirs) if f)
    return json.dumps(line)


def number(value):
    """Three digits that count, without an exponent."""
    if value == 0:
        return "0"
    text = "%.3g" % value
    return "%.0f" % value if "e" in text and abs(value) >= 1 else text


def cell(figure):
    if figure is None:
        return "-"
    spread = "" if figure.low == figure.high else " (%s–%s)" % (number(figure.low), number(figure.high))
    return number(figure.median) + spread + (" *" if figure.disturbed else "")


def table(all_rows):
    """A markdown table: a line a metric, two columns a peer, and two for goals where there are any."""
    peers = [p for p in dict.fromkeys(r.peer for r in all_rows) if p]
    lines = {}
    for r in all_rows:
        line = lines.setdefault(r.metric, {"unit": r.unit})
        line[""] = r.ours
        line["row"] = r
        line[r.peer] = r
    head = ["metric", "unit", "ours"] + [h for p in peers for h in (p, "ours / " + p)]
    has_goals = any(r.goal is not None for r in all_rows)
    if has_goals:
        head[3:3] = ["goal", "ok"]
    out = [head, ["---", "---"] + ["---:"] * (len(head) - 2)]
    for metric, line in lines.items():
        cells = [metric, line["unit"], cell(line[""])]
        if has_goals:
            row = line["row"]
            cells += ["-" if row.goal is None else number(row.goal), {None: "-", True: "yes", False: "no"}[row.is_reached()]]
        for p in peers:
            row = line.get(p)
            ratio = row and row.ratio()
            cells += [cell(row and row.theirs), "-" if ratio is None else number(ratio)]
        out.append(cells)
    return "\n".join("| " + " | ".join(cells) + " |" for cells in out)
