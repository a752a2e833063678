#!/usr/bin/env node
// What `make bench` runs: every bench, its lines as they come, and at the end the targets, met or not, each figure with its
// neighbour from the same run. Also writes the tables of docs/performance.md from those lines.
//
//     scripts/performance.mjs BUILD [NAME...]      run (all, or hilrig's benches NAME..., "usb", "pads", "ceiling"); lines go
//                                                  to BUILD/bench.jsonl, too
//     scripts/performance.mjs --document FILE...   the tables of docs/performance.md that these lines have figures for
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release } from 'node:os';

const page = 'docs/performance.md';
const number = (value, digits = 0) =>
        Number.isFinite(value) ? value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits }) : '-';

// A line of the targets: [what, the figure, its target, what stands beside it]; `least` and `most` judge.
function targets(lines) {
        const all = (bench) => lines.filter((l) => l.bench === bench);
        const one = (bench, key, value) => all(bench).find((l) => key === undefined || l[key] === value);
        const rows = [];
        const add = (what, figure, unit, bound, beside) => {
                if (figure === undefined || figure === null) {
                        rows.push({ what, figure: '-', target: bound[1], met: 'not measured', beside: '' });
                        return;
                }
                const met = bound[0] === 'least' ? figure >= bound[1] : figure <= bound[1];
                const digits = Math.abs(figure) < 10 ? 2 : Math.abs(figure) < 1000 ? 1 : 0;
                rows.push({ what, figure: `${number(figure, digits)}${unit}`, target: `${bound[0] === 'least' ? 'at least' : 'at most'} ${number(bound[1], bound[1] % 1 ? 1 : 0)}${unit}`,
                        met: met ? 'met' : 'NOT MET', beside: beside ?? '' });
        };
        const least = (n) => ['least', n], most = (n) => ['most', n];

        add('plant', one('plant')?.steps_per_s, ' steps/s', least(10e6), '');
        add('plant with all sensors', one('sensors')?.steps_per_s, ' steps/s', least(3.5e6), '');
        const together = all('batch').at(-1);

        add('64 plants together', together?.steps_per_s, ' steps/s', least(40e6),
                together && `${together.instructions}; one by one ${number(1e9 / together.one_by_one_ns_per_step)}`);
        for (const [kind, bound] of [['pty', 20], ['unix', 20]])
                add(`lockstep over ${kind}`, one('link', 'link', kind)?.times_real_time, ' times real time', least(bound),
                        `ping-pong ${number(one('link', 'link', kind)?.ping_pong_per_s)}/s`);
        add('lockstep over unix, of ping-pong', one('link', 'link', 'unix')?.ratio, '', least(0.6),
                `ping-pong ${number(one('link', 'link', 'unix')?.ping_pong_per_s)}/s`);
        for (const work of [0, 20, 270]) {
                const l = one('ceiling', 'work_us', work);
                const name = `firmware that works for ${work} us`;

                add(`${name}: of a bare loop`, l?.ratio, '', least(0.9),
                        l && `bare loop ${number(Math.max(l.bare_looking_per_s, l.bare_asleep_per_s))}/s`);
                add(`${name}: the rig's CPU an exchange, beyond a bare loop's asleep`, l && l.rig_cpu_us - l.bare_asleep_cpu_us, ' us', most(work === 270 ? 10 : 5),
                        l && `bare loop ${number(l.bare_asleep_cpu_us, 1)} us, looking ${number(l.bare_looking_cpu_us, 1)}`);
        }
        add('from the command to the first frame', one('start')?.first_frame_ms, ' ms', most(50),
                one('start') && `empty program ${number(one('start').empty_program_ms, 1)} ms`);
        add('a flight of a suite, against a process over a socket', one('suite')?.cpu_ratio, ' times the flights a CPU second', least(2),
                one('suite') && `over a socket ${number(one('suite').socket_cpu_ms, 0)} ms`);
        const fleet = all('fleet').filter((l) => l.threads === 1);
        const at = (n) => fleet.find((l) => l.vehicles === n)?.processor_ns_per_vehicle_period;

        add('fleet, 128 vehicles against 2', at(128) && at(2) ? at(128) / at(2) : undefined, '', most(1.5),
                fleet.length ? `ping-pong ${number(fleet.at(-1).ping_pong_ns_per_link / 1e3, 1)} us a link` : '');
        const r = one('realtime');

        add('wake-up, p99, of cyclictest', r?.ratio_p99, '', most(1.1), r && `cyclictest ${number(r.cyclictest_p99_us)} us`);
        add('wake-up, p99.9, of cyclictest', r?.ratio_p99_9, '', most(1.3), r && `cyclictest ${number(r.cyclictest_p99_9_us)} us`);
        const worst = all('decode_capture').reduce((w, l) => (!w || l.times_real_time < w.times_real_time ? l : w), undefined);

        add(`motor pads, decoded${worst ? ` (${worst.lines})` : ''}`, worst?.times_real_time, ' times real time', least(10),
                worst && `memchr ${number(worst.memchr_times_real_time)}`);
        add('hills of 100,000 triangles, a ring of sonars', one('world', 'triangles', 100000)?.ring_worst_percent, ' % of a period', most(10), '');
        return rows;
}

function table(head, rows) {
        return [`| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...rows.map((r) => `| ${r.join(' | ')} |`)].join('\n');
}

const us = (ns) => number(ns / 1e3, 1);

// What each marked part of the page shows; undefined: these lines have nothing for it.
const parts = {
        targets: (lines) => table(['what', 'figure', 'target', '', 'beside it, same run'],
                targets(lines).filter((r) => r.met !== 'not measured').map((r) => [r.what, r.figure, r.target, r.met, r.beside])),
        plant: (lines) => {
                const l = lines.filter((x) => x.bench === 'plant' || x.bench === 'sensors');
                return l.length && table(['bench', 'steps/s', 'ns, median', 'ns, best'],
                        l.map((x) => [`\`${x.bench}\``, number(x.steps_per_s), number(x.ns_per_step, 1), number(x.best_ns_per_step, 1)]));
        },
        batch: (lines) => {
                const l = lines.filter((x) => x.bench === 'batch' || x.bench === 'batch_sensors');
                return l.length && table(['bench', 'instructions', 'steps/s', 'ns, median', 'one by one, ns', 'times as fast', 'ns, best', 'one by one, best'],
                        l.map((x) => [`\`${x.bench}\``, x.instructions, number(x.steps_per_s), number(x.ns_per_step, 1), number(x.one_by_one_ns_per_step, 1),
                                number(x.times_as_fast, 2), number(x.best_ns_per_step, 1), number(x.best_one_by_one_ns_per_step, 1)]));
        },
        models: (lines) => {
                const l = lines.filter((x) => x.bench === 'models');
                return l.length && table(['model', 'ns', 'a second'], l.map((x) => [`\`${x.model}\``, number(x.ns, 1), number(x.per_s)]));
        },
        world: (lines) => {
                const l = lines.filter((x) => x.bench === 'world');
                return l.length && table(['triangles', 'ray', 'touch of a sphere', 'distance to anything', 'ring, average period', 'ring, worst period'],
                        l.map((x) => [number(x.triangles), `${number(x.ray_ns)} ns`, `${number(x.touch_ns)} ns`, `${number(x.room_ns)} ns`,
                                `${number(x.ring_ns_per_period)} ns (${number(x.ring_percent, 2)} %)`,
                                `${us(x.ring_worst_period_ns)} us (${number(x.ring_worst_percent, 1)} %)`]));
        },
        link: (lines) => {
                const l = lines.filter((x) => x.bench === 'link' && x.periods_per_s);
                return l.length && table(['link', 'periods/s', 'times real time', 'ping-pong/s', 'ratio', 'asleep ping-pong/s', 'ratio', 'loop p50'],
                        l.map((x) => [x.link, number(x.periods_per_s), number(x.times_real_time, 1), number(x.ping_pong_per_s), number(x.ratio, 2),
                                number(x.sleeping_ping_pong_per_s), number(x.sleeping_ratio, 2), `${number(x.loop_p50_us, 1)} us`]));
        },
        plant: (lines) => {
                const l = ['plant', 'sensors', 'decode'].flatMap((name) => lines.filter((x) => x.bench === name));
                return l.length && table(['bench', 'a second', 'ns, median', 'ns, best of seven'],
                        l.map((x) => [`\`${x.bench}\``, number(x.steps_per_s ?? x.exchanges_per_s), number(x.ns_per_step ?? 1e9 / x.exchanges_per_s, 1), number(x.best_ns_per_step, 1)]));
        },
        ceiling: (lines) => {
                const l = lines.filter((x) => x.bench === 'ceiling');
                return l.length && table(['firmware works for', 'rig, exchanges/s', 'bare loop, looking', 'bare loop, asleep', 'ratio to the faster', 'rig\'s CPU an exchange',
                        'bare loop\'s, looking', 'asleep', 'looked for at most', 'answers that came while looking'],
                        l.map((x) => [`${x.work_us} us`, number(x.exchanges_per_s), number(x.bare_looking_per_s), number(x.bare_asleep_per_s), number(x.ratio, 2),
                                `${number(x.rig_cpu_us, 1)} us`, `${number(x.bare_looking_cpu_us, 1)} us`, `${number(x.bare_asleep_cpu_us, 1)} us`, `${number(x.looked_at_most_us, 1)} us`, `${number(100 * x.looked, 0)} %`]));
        },
        start: (lines) => {
                const l = lines.find((x) => x.bench === 'start');
                const names = { program_ms: 'exec() and dynamic linking', configuration_ms: 'configuration', links_ms: 'links, run folder',
                        processes_ms: 'flight controller started, record opened', handshake_ms: 'handshake', first_frame_ms: 'first frame' };
                return l && table(['part', 'ms'], [...Object.entries(names).map(([key, name]) => [name, number(l.parts[key], 2)]),
                        ['command to first frame, median', number(l.first_frame_ms, 1)], ['the shortest of ' + l.runs, number(l.first_frame_min_ms, 1)],
                        ['processor time of all of it', number(l.parts.processor_ms, 1)],
                        ['beside it: a program that does nothing, from start to end; shortest', `${number(l.empty_program_ms, 1)}; ${number(l.empty_program_min_ms, 1)}`]]);
        },
        suite: (lines) => {
                const l = lines.find((x) => x.bench === 'suite');
                return l && table(['', ''], [['flights', number(l.flights)], ['flights a second and core', number(l.flights_per_s_and_core, 2)],
                        ['flights a second of the processor', number(l.flights_per_cpu_s, 2)],
                        ['a flight: processor time, user and system', `${number(l.user_ms, 0)} and ${number(l.system_ms, 0)} ms`],
                        ['of which up to the handshake\'s end', `${number(l.start_cpu_ms, 1)} ms`],
                        ['a flight by the clock: start, flight, the rest (program, record, result, page, waiting for a core)',
                                `${number(l.start_ms, 0)}, ${number(l.flight_ms, 0)} and ${number(l.rest_ms, 0)} ms`],
                        ['beside it: one run inside, and over a Unix socket with a process, processor time',
                                `${number(l.inside_cpu_ms, 0)} and ${number(l.socket_cpu_ms, 0)} ms`]]);
        },
        fleet: (lines) => {
                const l = lines.filter((x) => x.bench === 'fleet' && x.threads === 1);
                const two = (n) => lines.find((x) => x.bench === 'fleet' && x.threads === 2 && x.vehicles === n);
                return l.length && table(['vehicles', 'us a vehicle and period', 'times real time', 'of which the rig\'s processor time', 'two threads, us', 'bare ping-pong, us a link'],
                        l.map((x) => [x.vehicles, us(x.ns_per_vehicle_period), number(x.times_real_time, 1), us(x.processor_ns_per_vehicle_period),
                                two(x.vehicles) ? us(two(x.vehicles).ns_per_vehicle_period) : '-', us(x.ping_pong_ns_per_link)]));
        },
        realtime: (lines) => {
                const l = lines.find((x) => x.bench === 'realtime');
                return l && table(['us', 'p50', 'p99', 'p99.9', 'max', 'samples'], [
                        ['hilrig in flight', number(l.wake_p50_us, 1), number(l.wake_p99_us, 1), number(l.wake_p99_9_us, 1), number(l.wake_max_us, 1), number(l.periods)],
                        ['cyclictest', number(l.cyclictest_p50_us), number(l.cyclictest_p99_us), number(l.cyclictest_p99_9_us), number(l.cyclictest_max_us), number(l.cyclictest_samples)],
                        ['ratio', number(l.ratio_p50, 2), number(l.ratio_p99, 2), number(l.ratio_p99_9, 2), '', '']]);
        },
        capture: (lines) => {
                const l = lines.filter((x) => x.bench === 'decode_capture');
                return l.length && table(['lines', 'median', 'best', 'memchr()', 'words'],
                        l.map((x) => [x.lines, number(x.times_real_time, 1), number(x.best_times_real_time, 1), number(x.memchr_times_real_time), number(x.words)]));
        },
};

function document(files) {
        const lines = files.flatMap((f) => readFileSync(f, 'utf8').split('\n').filter(Boolean).map((l) => JSON.parse(l)));
        const host = lines.find((l) => l.bench === 'host');
        let text = readFileSync(page, 'utf8');

        for (const [name, make] of Object.entries(parts)) {
                const made = make(lines);
                const begin = `<!-- bench ${name} -->`;

                if (!made || !text.includes(begin))
                        continue;
                const from = text.indexOf(begin) + begin.length, to = text.indexOf('<!-- end -->', from);
                const when = `\n${made}\n\n*${host.version}, built with ${host.flags}, ${host.date}: ${host.cpus} x ${host.cpu}, kernel ${host.kernel}, load ${host.load} before the run.*\n`;

                text = text.slice(0, from) + when + text.slice(to);
        }
        writeFileSync(page, text);
}

function run(command, words, file) {
        return new Promise((resolve) => {
                const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'inherit'] });
                let text = '';

                child.stdout.on('data', (d) => {
                        text += d;
                        process.stdout.write(d);
                        writeFileSync(file, d, { flag: 'a' });
                });
                child.on('close', (status) => resolve({ status, lines: text.split('\n').filter((l) => l.startsWith('{')).map((l) => JSON.parse(l)) }));
                child.on('error', () => resolve({ status: 127, lines: [] }));
        });
}

async function bench(build, names) {
        const file = `${build}/bench.jsonl`;
        const others = { usb: [`${build}/tests/usb/bench_usb`], pads: [`${build}/tests/programs/pads_latency`],
                ceiling: [`${build}/tests/programs/exchange_ceiling`, `${build}/hilrig`] };
        const lines = [];
        const help = (await said(`${build}/hilrig`, ['bench', '--help'])).replace(/\s+/g, '');
        const benches = help.match(/\[(plant[^\]]*)\]/)[1].split('|');
        let bad = false;

        const host = { bench: 'host', version: await said(`${build}/hilrig`, ['--version']), date: new Date().toISOString().slice(0, 10), cpus: cpus().length,
                cpu: cpus()[0].model.trim(), kernel: release(), load: loadavg()[0].toFixed(1),
                flags: [...new Set(readFileSync(`${build}/flags.txt`, 'utf8').match(/-O\d|-flto\S*/g))].join(' ') };

        writeFileSync(file, `${JSON.stringify(host)}\n`);
        for (const name of names.length ? names : [...benches, ...Object.keys(others)]) {
                const [command, ...words] = others[name] ?? [`${build}/hilrig`, 'bench', name];
                const { status, lines: more } = await run(command, words, file);

                lines.push(...more);
                if (status !== 0) {
                        console.error(`${name}: exit status ${status}`);
                        bad = true;
                }
        }
        const rows = targets(lines).map((r) => [r.what, r.figure, String(r.target), r.met, r.beside]);
        const widths = [0, 1, 2, 3, 4].map((i) => Math.max(...rows.map((r) => r[i].length)));

        console.log('\nTargets, each with its neighbour from the same run:\n');
        for (const r of rows)
                console.log(r.map((cell, i) => cell.padEnd(widths[i])).join('  ').trimEnd());
        process.exit(bad ? 1 : 0);
}

async function said(command, words) {
        return new Promise((resolve) => {
                const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'ignore'] });
                let text = '';

                child.stdout.on('data', (d) => (text += d));
                child.on('close', () => resolve(text.trim()));
        });
}

const words = process.argv.slice(2);

if (words[0] === '--document')
        document(words.slice(1));
else if (words.length > 0)
        await bench(words[0], words.slice(1));
else
        console.error('usage: scripts/performance.mjs BUILD [NAME...] | --document FILE...');
