"use strict";

// What stands on each kind of page, as sections of parts that page.js shows:
//   { kind: "note" | "warning" | "words" | "code", text }, { kind: "fold", text, parts }, { kind: "plots" }, { kind: "map" }, { kind: "pair" },
//   { kind: "histogram", ... }, { kind: "table", look, columns, rows }
// A column's first character marks it: # a number, * the row's own head, @ a moment. A row is
// { tone, at_us, vehicle, cells, note, drawing }, a cell a text, { text, asks: [[key, text]] }, { text, tone },
// { text, href }, or a list of { text, href, tone, title, before, after }.

const sectionsOf = (function () {
const has = (x) => x !== null && x !== undefined && x !== "";
const number = (x, digits = 5) => (!Number.isFinite(x) ? "–" : x !== 0 && Math.abs(x) < 1e-4 ? (+x.toPrecision(digits)).toExponential() : String(+x.toPrecision(digits)));
const fixed = (x, digits) => (Number.isFinite(x) ? x.toFixed(digits) : "–");
const signed = (x, digits) => (x > 0 ? "+" : "") + number(x, digits);
const seconds = (s) => fixed(s, 3) + " s";
const many = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;
const say = (kind, text) => ({ kind, text });
const table = (look, columns, rows) => ({ kind: "table", look, columns, rows });
const section = (id, title, ...parts) => ({ id, title, parts: parts.filter(Boolean) });
// [head, text, whether it is bad]; what is not known is left out.
const facts = (look, rows) => table(look, ["*", ""], rows.filter((r) => has(r[1])).map(([head, text, bad]) => ({ tone: bad ? "bad" : undefined, cells: [head, String(text)] })));

// Reports

const severities = ["emergency", "alert", "critical", "error", "warning", "notice", "", "debug"];
const outcomes = ["collision", "vehicles met", "step", "begins", "is over", "own way", "board lost", "twin", "step"];

function readConfig(data) {
        return data.config_text && !has(data.config_why) ? JSON.parse(data.config_text) : {};
}

function figures(data) {
        const s = data.summary || {}, loop = s.latency_us && s.latency_us.loop;
        const simulated = has(s.sim_time_s) ? s.sim_time_s : data.log.readable ? data.log.end_s : null;
        return [["simulated", has(simulated) && seconds(simulated)], ["in", has(s.wall_time_s) && seconds(s.wall_time_s)], ["pace", s.pace],
                ["period", has(s.period_ns) && number(s.period_ns / 1e3, 6) + " µs"],
                ["loop latency p99", loop && loop.count > 0 && number(loop.p99, 4) + " µs"],
                ["periods missed", has(s.overruns) && String(s.overruns)], ["seed", data.seed]].filter(([, text]) => text);
}

function requirement(q) {
        const asks = Object.entries(q.asked || {}).filter(([key]) => key !== "name" && key !== "vehicle");
        return { tone: q.tone, at_us: q.at_us, vehicle: q.vehicle, cells: [{ text: q.outcome, tone: q.tone },
                { text: q.name, asks: asks.map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]) },
                q.detail || "", number(q.value), number(q.robustness), has(q.at_us) ? seconds(q.at_us / 1e6) : ""] };
}

// A row an item, in the order in which they were flown.
function mission(m) {
        const tone = { passed: "passed", FAILED: "failed", "not judged": "void" };
        const rows = m.items.map((i) => ({ tone: tone[i.outcome], at_us: has(i.reached_s) ? Math.round(i.reached_s * 1e6) : undefined, vehicle: m.vehicle, cells: [
                { text: i.outcome, tone: tone[i.outcome] }, `${i.item} ${i.what}${i.why ? ": " + i.why : ""}`, fixed(i.asked_s, 2), fixed(i.reached_s, 2), fixed(i.error_m, 2), fixed(i.radius_m, 2),
                fixed(i.heading_error_deg, 1), i.hold_s > 0 ? `${fixed(i.held_s, 1)} of ${fixed(i.hold_s, 1)}` : "", fixed(i.cross_track_m, 2)] }));
        return [table("mission", ["Outcome", "*Item", "#Asked, s", "#Reached, s", "#Off, m", "#Radius, m", "#Heading error, °", "Held, s", "#Beside the leg, m"], rows),
                m.fence_outcome && say(m.breach ? "warning" : "note", m.breach ? `Fence: at ${seconds(m.breached_s)} ${m.breach}.` : `Fence: ${m.fence_outcome}.`),
                say("note", `In truth. Beside a leg at most ${number(m.cross_track_max_m)} m, beside the landing place ${number(m.landing_max_m)} m.`)];
}

function requirements(list) {
        // A summary of an older version has them in words only: then their columns are hidden.
        const wordy = list.every((q) => !has(q.value) && !has(q.robustness));
        return list.length === 0 ? say("words", "No requirement was judged.")
                : table("requirements" + (wordy ? " wordy" : ""), ["Outcome", "*Requirement", "What happened", "#Value", "#Robustness", "@Moment"], list.map(requirement));
}

function events(data) {
        const { flight, log } = data, named = flight.events.some((e) => e.kind === 2);
        const rows = flight.events.filter((e) => e.kind !== 7 || !named).map((e) => ({
                at_us: Math.round(e.at * 1e6), vehicle: e.vehicle, tone: e.kind === 2 || e.kind === 7 ? undefined : "failed",
                cells: [seconds(e.at), outcomes[e.kind], flight.vehicles[e.vehicle] ? flight.vehicles[e.vehicle].name : e.vehicle < 0 ? "all" : "vehicle",
                        e.what + (e.kind < 2 ? `, ${number(e.impact_mps, 3)} m/s` : "")] }));
        const lines = log.lines.map(([at, text, level]) => ({ tone: level <= 4 ? "bad" : undefined, cells: [seconds(at), severities[level] || "", text] }));
        return [rows.length > 0 ? table("events", ["@Time", "Kind", "Vehicle", "What"], rows)
                : say("words", "The log holds no step, stimulus, fault or collision that can be read."),
        log.events_more > 0 && say("note", `${log.events_more} later events are not shown.`),
        lines.length > 0 && { kind: "fold", text: `What was said: ${lines.length} lines`, parts: [table("lines", ["@Time", "Severity", "Text"], lines)] },
        log.lines_more > 0 && say("note", `${log.lines_more} later lines are not shown.`)];
}

function latency(data, lockstep) {
        const counted = data.summary && data.summary.latency_us;
        const rows = ["loop", "wire", "wake", "compute"].filter((key) => counted && counted[key] && counted[key].count > 0)
                .map((key) => ({ cells: [key, String(counted[key].count), ...["p50", "p99", "p99_9", "max"].map((q) => fixed(counted[key][q], 1))] }));
        const histogram = (key, name, text) => {
                const d = data.log.delays[key], all = (counted && counted[key]) || {};
                return d.bins.length > 0 && { kind: "histogram", name, text, ...d, counted: all.count, quantiles: [["p50", all.p50], ["p99", all.p99], ["p99.9", all.p99_9]] };
        };
        return [rows.length > 0 && table("latency", ["*µs", "#count", "#p50", "#p99", "#p99.9", "#max"], rows),
                histogram("loop", "Loop", "from a sensor frame to the motor command"),
                histogram("wake", "Wake", "how late the host woke for a period"),
                histogram("compute", "Compute", "from waking until the frame was handed over"),
                say("note", "No period is thinned out here. Both axes are logarithmic; a bar is an eighth of an octave wide." +
                (lockstep ? " In lockstep these are host times: how long the rig and the flight controller took, not what the flight felt." : ""))];
}

function host(data, lockstep) {
        const s = data.summary || {}, { log } = data, realtime = readConfig(data).realtime || {}, wake = log.delays.wake;
        const own = has(s.overruns) || !log.readable, missed = own ? s.overruns : log.missed, ticks = own ? s.ticks : log.ticks;
        const percent = ticks > 0 ? 100 * missed / ticks : 0, missing = [].concat(s.realtime_missing || []).join("; ");
        const allowed = (limit, unit) => (has(limit) ? ` (allowed: ${number(limit, 6)} ${unit})` : "");
        const bad = (n) => [n, n > 0], most = realtime.missed_max_percent, stall = realtime.stall_max_ms;
        const state = !log.readable ? "cannot be read" : log.truncated ? "cut off inside a record" : "whole";
        return [facts("facts", [["Pace", s.pace], ["Periods", ticks],
                ["Periods missed (overruns)", has(missed) && `${missed}, ${number(percent, 3)} %${allowed(most, "%")}`, percent > most],
                ["Latest wake-up", !lockstep && wake.count > 0 && `${fixed(wake.max_us, 1)} µs, at ${seconds(wake.max_at_s)}${allowed(stall, "ms")}`, wake.max_us / 1e3 > stall],
                ["Records dropped", ...bad(s.record_drops)],
                ["Real-time facilities missing", "realtime_missing" in s && (missing || "none")],
                ["Log", `${state}; ${log.ticks} periods, to ${seconds(log.end_s)}`, state !== "whole"],
                ["Gaps in the log", ...bad(log.dropouts)], ["Records in the log that made no sense", ...bad(log.skipped)]].filter((r) => r[1] !== false)),
        lockstep && say("note", "In lockstep simulated time waits for the flight controller: the host cannot be late.")];
}

const warningsMost = 20;

function link({ link: counts, warnings = [] }) {
        const rows = [["frames_sent", "Frames sent"], ["frames_received", "Messages received"], ["crc_errors", "Wrong checksums", true],
                ["lost", "Lost", true], ["bytes_sent", "Bytes sent"], ["bytes_received", "Bytes received"]];
        return [counts ? facts("facts", rows.map(([key, head, bad]) => [head, counts[key], bad && counts[key] > 0]))
                : say("words", "Not counted: there is no summary."), ...warnings.slice(0, warningsMost).map((w) => say("warning", w)),
        warnings.length > warningsMost && say("note", `${many(warnings.length - warningsMost, "more warning")}: summary.json has all.`)];
}

function versions(data) {
        const s = data.summary || {}, names = data.flight.vehicles.map((v) => v.name + ": ");
        const firmware = Array.isArray(s.firmware) ? s.firmware.map((f, i) => (s.firmware.length > 1 ? names[i] || "vehicle: " : "") + (f || "did not say")) : ["not recorded"];
        const alike = firmware.length > 4 && s.firmware.every((f) => f === s.firmware[0]);
        return [facts("facts versions", [...(alike ? [["Firmware", `${s.firmware[0] || "did not say"}, of all ${s.firmware.length} vehicles`]] : firmware.map((f) => ["Firmware", f])), ["hilrig", s.version || data.log.version], ["Rig file", s.config],
                ["Configuration, SHA-256", s.config_sha256 || data.log.config_sha256], ["Seed", data.seed], ["Signal, SHA-256", s.signal_sha256]]),
        !has(data.config_text) && say("words", "There is no config.json."),
        has(data.config_text) && has(data.config_why) && say("warning", data.config_why),
        has(data.config_text) && { kind: "fold", text: "config.json, every default written out" + (data.config_brief ? "; of each vehicle but the first, what differs from the first" : ""), parts: [say("code", data.config_text)] }];
}

// Of a fleet the least, the median and the most, each with its vehicle; where less is better, the most is the worst.
function metrics(data) {
        const { fleet } = data.summary || {};
        const each = data.metrics.map((m) => ({ cells: [m.name || "", m.vehicle || "", number(m.value), m.unit || ""] }));
        if (!fleet) return each.length > 0 ? [section("metrics", "Metrics", table("metrics", ["*Metric", "Vehicle", "#Value", "Unit"], each))] : [];
        const rank = (r) => [number(r.value), r.vehicle];
        const rows = fleet.metrics.map((m) => ({ cells: [m.name, ...rank(m.most), ...rank(m.median), ...rank(m.least), m.unit || "", { less: "less", more: "more" }[m.better] || "", String(m.vehicles)] }));
        return [section("metrics", "Metrics", table("fleet", ["*Metric", "#Most", "Vehicle", "#Median", "Vehicle", "#Least", "Vehicle", "Unit", "Better is", "#Vehicles"], rows),
                say("note", "The median is that of a vehicle: of an even number the lower one of the middle. summary.json has every vehicle's."))];
}

function report(data) {
        const lockstep = Boolean(data.summary && data.summary.pace === "lockstep");
        const flown = data.summary && data.summary.mission && Array.isArray(data.summary.mission.items) && data.summary.mission;
        return [(data.requirements.length > 0 || !flown) && section("requirements", "Requirements", requirements(data.requirements)),
                flown && section("mission", "Mission", ...mission(flown)),
                section("seen", "Where it flew", { kind: "map" }),
                section("flight", "The flight", { kind: "plots" }),
                ...metrics(data),
                section("events", "What happened when", ...events(data)),
                section("latency", "Latency", ...latency(data, lockstep)),
                section("host", "Host honesty", ...host(data, lockstep)),
                section("link", "Link", ...link(data.summary || {})),
                section("versions", "What flew", ...versions(data))];
}

// Comparisons

const verdicts = { regressed: "failed", "too little data": "void", improved: "passed", "no worse": "passed", same: "passed", "not judged": "soft" };

function comparedRow(r) {
        const open = r.verdict === "too little data", outcome = r.kind === "outcome", [low, high] = r.interval;
        const more = !open ? "" : r.more_pairs ? `${many(r.more_pairs, "more pair")} would settle it. ` : "No number of pairs would settle it. ";
        const shift = has(r.difference) ? `${signed(r.difference, 4)}\n${has(low) && has(high) ? `${number(low, 4)} to ${number(high, 4)}` : "–"}` : "–";
        return { tone: verdicts[r.verdict], note: more + r.note, cells: [r.verdict, `${r.name} ${r.unit}`, number(r.baseline), number(r.candidate),
                outcome ? "" : shift, outcome ? "" : number(r.margin, 3), outcome ? "" : has(r.effect) ? signed(r.effect, 3) : "–", number(r.p_adjusted, 2)],
        drawing: outcome ? null : { a: r.baseline_values, b: r.candidate_values, mean: [r.baseline, r.candidate], margin: r.margin, shift: [low, r.difference, high] } };
}

// What made the verdict, without the drawings: the rows that changed or are open, the furthest in margins first.
function decidingRows(c) {
        const order = Object.keys(verdicts), size = (r) => Math.abs(r.difference) / (r.margin || 1);
        const rows = c.rows.filter((r) => order.indexOf(r.verdict) < 3 || (r.leans_to_worse && c.verdict === "too little data"));
        return rows.sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict) || size(b) - size(a)).map((r) => ({
                cells: [{ text: r.verdict, tone: verdicts[r.verdict] }, `${r.name} ${r.unit}`.trim(), r.group, number(r.baseline, 4), number(r.candidate, 4),
                        r.kind === "outcome" || !r.baseline ? "" : signed(100 * (r.candidate - r.baseline) / Math.abs(r.baseline), 3) + " %",
                        r.kind === "outcome" ? "" : number(r.margin, 3), number(r.p_adjusted, 2)] }));
}

function settings(whose, list, count, known) {
        const rows = list.map((s) => ({ cells: [s.key, s.baseline || "–", s.candidate || "–"] })), more = count - rows.length;
        if (rows.length === 0) return [say("note", known ? `No setting of the ${whose} differs.` : `No setting of the ${whose} was read.`)];
        return [table("facts settings", [`*Setting of the ${whose} that differs`, "Baseline", "Candidate"], rows),
                more > 0 && say("note", `${many(more, "more setting")} differ.`)];
}

function compared(c) {
        const sides = [c.baseline, c.candidate], row = (head, text) => ({ cells: [head, ...sides.map(text)] });
        return [table("facts sides", ["*", "Baseline", "Candidate"], [row("Firmware", (s) => s.firmware || "not known"), row("Runs", (s) => String(s.runs)),
                row("Folder", (s) => s.folder), row("hilrig", (s) => s.version)]),
        ...settings("firmware", c.firmware_settings, c.firmware_settings_that_differ, c.firmware_settings_read > 0),
        ...settings("rig", c.settings, c.settings_that_differ, true)];
}

function sureness(c) {
        const flights = c.baseline.runs + c.candidate.runs, percent = (x) => `${number(100 * x, 3)} %`;
        return facts("facts", [["Flights", `${flights}: ${many(c.twins, "run")} with a twin, ${c.without_twin} without; ${many(c.unusable_twins, "twin")} void or broken and left out`],
                ["Independent pairs", `${c.independent_pairs}; it takes ${c.fewest_pairs} to decide every row`, c.independent_pairs < c.fewest_pairs],
                ["Chance of any false alarm", `at most ${percent(c.alpha)}, over all rows`],
                ["Chance that a row that moved by its margin is called the same or no worse", percent(c.doubt)]]);
}

function comparison(data) {
        const c = data.comparison, groups = [...new Set(c.rows.map((r) => r.group))], order = Object.keys(verdicts), deciding = decidingRows(c);
        const heads = ["Verdict", "*Requirement or metric", "#Baseline", "#Candidate", "#Shift (Hodges-Lehmann)", "#Margin", "#Effect", "#p"];
        const kinds = [["Requirements", (r) => r.kind === "outcome" || r.kind === "robustness"], ["Metrics", (r) => r.kind === "metric"],
                ["The host's, in no verdict", (r) => r.kind === "host"]];
        const tables = (group) => kinds.map(([title, is]) => [title, c.rows.filter((r) => r.group === group && is(r))]).filter(([, rows]) => rows.length > 0)
                .flatMap(([title, rows]) => [say("words", title), table("pairs", heads, rows.sort((a, b) => order.indexOf(a.verdict) - order.indexOf(b.verdict)).map(comparedRow))]);
        return [section("deciding", "What decided it", deciding.length > 0
                ? table("pairs deciding", ["Verdict", "*Requirement or metric", "Rig/scenario", "#Baseline", "#Candidate", "#Change", "#Margin", "#p"], deciding)
                : say("words", "No row changed by more than its margin, and none is open.")),
        section("sides", "What was compared", ...compared(c)), section("sure", "How sure", sureness(c)),
        data.pair && data.pair.scene && section("space_of_both", "Both in space", { kind: "pair" }),
        data.plots && section("flights", "Flights over each other", { kind: "plots" }),
        ...groups.map((group, i) => section("group" + i, group, i === 0 && say("note", "Shift: candidate less baseline, Hodges and Lehmann's estimate from the pairs, with its interval of " +
                `${number(100 * (1 - 2 * c.doubt), 3)} %. p: for all rows together. In the drawings, values left and paired differences right; ` +
                "baseline is orange and above, candidate blue and below; the band is the margin, within which nothing has changed."), ...tables(group)))];
}

// Suites

const betters = { less: "less", more: "more", zero: "nearer to 0" };
const title = (r) => (r.kind === "outcome" ? `${r.name}, passed` : r.name);
const rowsMost = 100;

// A column a rig: how many flights passed, or the mean and from where to where.
function results(t, i) {
        const cell = (r, k) => {
                const [n, mean, least, most] = [r.flights[k], r.mean[k], r.least[k], r.most[k]], passed = Math.round(mean * n);
                if (!n) return "–";
                if (r.kind === "outcome") return { text: `${passed} of ${n}`, tone: passed === n ? "passed" : "failed" };
                return number(mean, 4) + (least < most ? ` (${number(least, 4)} to ${number(most, 4)})` : "");
        };
        const row = (r) => ({ cells: [title(r), r.kind === "metric" && betters[r.better] || "", ...t.rigs.map((_, k) => cell(r, k)), r.unit] });
        const show = (rows) => table("results", ["*Requirement or metric", "Better is", ...t.rigs.map((rig) => "#" + rig), "Unit"], rows.map(row));
        return section("results" + i, `How they flew: ${t.scenario}`, i === 0 && say("note", "Over all flights of a rig that were judged: how many passed; else the mean, and from the least to the most."),
                show(t.rows.slice(0, rowsMost)),
                t.rows.length > rowsMost && { kind: "fold", text: many(t.rows.length - rowsMost, "more row"), parts: [show(t.rows.slice(rowsMost))] });
}

function suite(data) {
        const runs = data.suite.run, groups = [...new Set(runs.map((r) => r.group))], words = ["passed", "failed", "void", "error"];
        const tone = (r) => ({ passed: "passed", failed: "failed", open: "soft" })[r.verdict] || "void";
        const item = (r) => ({ text: `${r.seed}-${r.repeat}`, href: r.href, tone: tone(r), title: r.verdict,
                before: { passed: "✓", failed: "✗", open: "○" }[r.verdict] || "?" });
        const reasons = (id, title, head, list) => list.length > 0 && section(id, title, table("reasons", ["Verdict", "*Run", head],
                list.map((r) => ({ tone: tone(r), cells: [r.verdict, { text: r.folder, href: r.href }, r.reason] }))));
        return [reasons("trouble", "What did not pass", "Why", runs.filter((r) => words.indexOf(r.verdict) > 0)),
                section("runs", "Runs", table("groups", ["*Rig/scenario", "#Passed", "#Failed", "#Void", "#Error", "#s", "Seed-repeat"], groups.map((group) => {
                        const own = runs.filter((r) => r.group === group);
                        return { cells: [group, ...words.map((w) => String(own.filter((r) => r.verdict === w).length)),
                                own.reduce((sum, r) => sum + r.wall_time_s, 0).toFixed(1), own.map(item)] };
                }))), ...data.suite.results.map(results), reasons("found", "Planted faults that were found", "By", runs.filter((r) => r.found))];
}

// Campaigns

// Wilson's interval of a share: how far a rate can be trusted.
function rate(passed, judged) {
        const z = 1.96, p = passed / judged, middle = p + z * z / (2 * judged), width = z * Math.sqrt(p * (1 - p) / judged + z * z / (4 * judged * judged));
        return [p, (middle - width) / (1 + z * z / judged), (middle + width) / (1 + z * z / judged)];
}

function campaign(data) {
        const c = data.campaign, words = ["passed", "failed", "void", "error"], percent = (x) => `${number(100 * x, 3)} %`;
        const flown = (cell) => words.reduce((sum, w) => sum + cell[w], 0);
        const tone = (cell) => (flown(cell) === 0 ? "soft" : cell.failed > 0 ? (cell.flaky ? "void" : "failed") : cell.void + cell.error > 0 ? "void" : "passed");
        // Against the version before it, where that was flown.
        const turn = (cell, before) => (!before || !has(cell.rate) || !has(before.rate) || cell.rate === before.rate ? "" : cell.rate < before.rate ? " ↓" : " ↑");
        const title = (cell) => words.concat("open").filter((w) => cell[w] > 0).map((w) => `${cell[w]} ${w}`).join(", ");
        const trouble = c.flight.filter((f) => words.indexOf(f.verdict) > 0), open = c.flight.filter((f) => f.verdict === "open");
        const again = c.flight.filter((f) => f.attempts > 1), flaky = c.matrix.flatMap((row) => row.versions.filter((cell) => cell.flaky).map((cell) => ({ row, cell })));
        const boards = [...new Set(c.flight.map((f) => f.board).filter(Boolean))].sort();
        const listed = (list, why) => table("pairs", ["Verdict", "*Flight", "Board", "#Attempts", why], list.map((f) => ({
                tone: { passed: "passed", failed: "failed" }[f.verdict] || "void",
                cells: [f.verdict, { text: f.folder, href: f.href }, f.board, String(f.attempts), f.reason] })));
        return [section("matrix", "Passed, by version", table("groups", ["*Rig/scenario", ...c.versions], c.matrix.map((row) => ({
                cells: [row.group, ...row.versions.map((cell, i) => ({ text: `${cell.passed} of ${flown(cell) + cell.open}${turn(cell, row.versions[i - 1])}`,
                        tone: tone(cell), before: { soft: "○", passed: "✓", failed: "✗" }[tone(cell)] || "?", title: title(cell) }))] })))),
        flaky.length > 0 && section("flaky", "Neither always nor never", say("note", "What passed and failed in one version; the rate of those that were judged, with its interval of 95 % (Wilson)."),
                table("pairs", ["*Rig/scenario", "Version", "#Passed", "#Failed", "#Rate", "From", "To"], flaky.map(({ row, cell }) => {
                        const [p, low, high] = rate(cell.passed, cell.passed + cell.failed);
                        return { cells: [row.group, cell.version, String(cell.passed), String(cell.failed), percent(p), percent(low), percent(high)] };
                }))),
        trouble.length > 0 && section("trouble", "What did not pass", listed(trouble, "Why")),
        again.length > 0 && section("again", "Flown more than once", listed(again, "At last")),
        open.length > 0 && section("open", "Not flown yet", say("words", many(open.length, "flight"))),
        boards.length > 0 && section("boards", "Boards", table("facts", ["*Board", ...words.map((w) => "#" + w[0].toUpperCase() + w.slice(1))], boards.map((b) => ({
                cells: [b, ...words.map((w) => String(c.flight.filter((f) => f.board === b && f.verdict === w).length))] }))))];
}

// Histories

const turns = { worse: "failed", better: "passed", changed: "void" };

function changes(h) {
        const rows = h.rows.flatMap((r) => r.changes.map((c) => ({ r, c }))), order = Object.keys(turns);
        rows.sort((a, b) => b.c.at - a.c.at || order.indexOf(a.c.turn) - order.indexOf(b.c.turn));
        const among = (c) => (c.first === c.last ? "" : `${h.releases[c.first].name} to ${h.releases[c.last].name}`);
        if (rows.length === 0) return [say("words", "No requirement and no metric has changed its level.")];
        return [table("pairs deciding", ["*First release", "Turn", "Requirement or metric", "Rig/scenario", "#From", "#To", "#Change", "One of, with 95 %"], rows.map(({ r, c }) => ({
                cells: [c.release, { text: c.turn, tone: turns[c.turn] }, `${title(r)} ${r.unit}`.trim(), r.group, number(c.from, 4), number(c.to, 4),
                        c.from ? signed(100 * (c.to - c.from) / Math.abs(c.from), 3) + " %" : "", among(c)] })))];
}

// What passes and fails in the same release.
function wavering(h) {
        const rows = h.rows.filter((r) => r.wavers > 0);
        return rows.length > 0 && section("wavering", "Neither always nor never",
                table("pairs", ["*Requirement", "Rig/scenario", "Passed, by release"], rows.map((r) => ({ cells: [r.name, r.group,
                        h.releases.flatMap((release, i) => (r.mean[i] > 0 && r.mean[i] < 1 ? [{ text: `${release.name}: ${Math.round(r.mean[i] * r.flights[i])} of ${r.flights[i]}` }] : []))] }))));
}

function history(data) {
        const h = data.history, words = ["passed", "failed", "void", "error"], names = h.releases.map((r) => r.name);
        const trend = (r) => ({ trend: { names, unit: r.unit, level: r.level, least: r.least, most: r.most, changes: r.changes,
                words: `${title(r)} over ${names.length} releases, ${r.changes.length > 0 ? r.changes.map((c) => `${c.turn} from ${c.release} on`).join(", ") : "without a change"}` } });
        const latest = (r) => r.level[names.length - 1], groups = [...new Set(h.rows.map((r) => r.group))];
        // What never had but one value needs no curve.
        const moved = (r) => new Set(r.least.concat(r.most).filter((v) => v !== null)).size > 1;
        const still = (rows) => rows.length > 0 && { kind: "fold", text: `${many(rows.length, "row")} without any difference`,
                parts: [table("facts", ["*Requirement or metric", "#Always"], rows.map((r) => ({ cells: [title(r), `${number(latest(r), 4)} ${r.unit}`] })))] };
        return [section("changes", "Where something changed", ...changes(h)), wavering(h),
                section("releases", "Releases", table("groups", ["*Release", ...words.map((w) => "#" + w[0].toUpperCase() + w.slice(1)), "Firmware", "hilrig"], h.releases.map((r) => ({
                        cells: [r.name, ...words.map((w) => String(r[w])), r.firmware || "not known", r.version] })))),
                ...groups.map((group, i) => {
                        const rows = h.rows.filter((r) => r.group === group), [drawn, alike] = [rows.filter(moved), rows.filter((r) => !moved(r))];
                        return section("group" + i, group, i === 0 && say("note", "Dots: the level of a release, freed of what each seed has of its own; grey: from the least to the most of its flights; " +
                                "line: the level between two changes."),
                        drawn.length > 0 && table("trends", ["*Requirement or metric", "Better is", "#Newest", ""], drawn.map((r) => ({
                                cells: [`${title(r)} ${r.unit}`.trim(), betters[r.better] || "", number(latest(r), 4), trend(r)] }))), still(alike));
                })];
}

return (data) => ({ figures: data.page === "report" ? figures(data) : [], sections: { report, comparison, suite, campaign, history }[data.page](data).filter(Boolean) });
})();
