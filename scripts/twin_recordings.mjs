// docs/pictures/twin_sources.png and motion_capture.png: each recorded conversation of rig_configs/twins played to
// rigs/finken_twin.json in real time, one after the other; the tables of docs/twin-sources.md and motion-capture.md.
//
//     node scripts/twin_recordings.mjs docs
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { colours, draw, figure, intervals, mean, readFlight, readWords, replaceBlock, table } from './flights.mjs';

const docs = process.argv[2];
if (!docs) {
        console.error('usage: node scripts/twin_recordings.mjs docs');
        process.exit(2);
}
const hilrig = join(process.env.BUILD ?? 'build', 'hilrig');
const scratch = mkdtempSync(join(tmpdir(), 'twin-recordings-'));
const sources = [
        { name: 'mavlink', file: 'mavlink.pcap', where: 'udp-listen:127.0.0.1:14550', aircraft: '1' },
        { name: 'ivy', file: 'paparazzi.data', where: '127.255.255.255:2010', aircraft: '147' },
        { name: 'natnet', file: 'natnet.pcap', where: 'udp:127.0.0.1:1510', aircraft: 'Drone' },
        { name: 'vrpn', file: 'vrpn.pcap', where: 'tcp:127.0.0.1:3883', aircraft: 'Drone' },
];

async function fly({ name, file, where, aircraft }) {
        const run = join(scratch, name);
        const player = spawn(hilrig, ['twin', 'play', `rig_configs/twins/${file}`, '--as', name], { stdio: 'ignore' });
        const sets = [`source=${name}`, `where=${where}`, `aircraft=${aircraft}`].flatMap((s) => ['--set', `vehicles.0.twin.${s}`]);
        const flown = spawnSync(hilrig, ['run', 'rig_configs/rigs/finken_twin.json', '--pace', 'realtime', '--out', run, ...sets], { encoding: 'utf8' });
        player.kill();
        if (flown.status === 2 || flown.error) throw new Error(flown.stderr);
        const summary = JSON.parse(readFileSync(join(run, 'summary.json'), 'utf8'));
        return { name, summary, twin: await readFlight(run, { vehicle: 0, everyS: 0.1 }), other: await readFlight(run, { vehicle: 1, everyS: 0.1 }),
                apart: intervals(await readWords(run, 0)).filter((ms) => ms > 0) };
}

const told = readFileSync('rig_configs/twins/fly_past.csv', 'utf8').trim().split('\n').slice(1).map((l) => l.split(',').map(Number));
const bars = (v) => Array.from({ length: 60 }, (_, i) => [2 * i + 81, v.filter((ms) => Math.floor((ms - 80) / 2) === i).length / v.length]);
const panels = (f) => [
        { title: `${f.name}: north`, x: 't, s', y: 'm', xRange: [0, 58], yRange: [-3, 6], key: 'top left', series: [
                { title: 'the table', colour: colours[6], dashed: true, rows: told.map((r) => [r[0], r[1]]) },
                { title: 'the twin', colour: colours[0], rows: f.twin.map((r) => [r.t, r.north]) },
                { title: 'the simulated one', colour: colours[2], rows: f.other.map((r) => [r.t, r.north]) }] },
        { title: `${f.name}: from word to word`, x: 'ms', y: 'share', xRange: [80, 130], series: [{ colour: colours[0], rows: bars(f.apart) }] },
];
const row = ({ name, summary, apart }) => {
        const [twin] = summary.twins, sorted = apart.toSorted((a, b) => a - b);
        return [`\`${name}\``, twin.words, figure(mean(apart)), figure(sorted[Math.floor(0.99 * (sorted.length - 1))]),
                figure(1000 * twin.wrong_m.rms), figure(1000 * twin.wrong_m.max), `${summary.requirements.filter((r) => r.outcome === 'passed').length} of ${summary.requirements.length}`, summary.overruns];
};
const head = ['as', 'words', 'apart, mean, ms', '99 %', 'shown wrong by, RMS, mm', 'at most', 'requirements met', 'periods late of 14500'];
const flights = [];
for (const source of sources) flights.push(await fly(source));
rmSync(scratch, { recursive: true });
for (const [page, picture, title, of] of [['twin-sources', 'twin_sources', 'MAVLink and Ivy', flights.slice(0, 2)], ['motion-capture', 'motion_capture', 'NatNet and VRPN', flights.slice(2)]]) {
        replaceBlock(join(docs, `${page}.md`), 'recordings', `${table(head, of.map(row))}\n\nhilrig ${of[0].summary.version}.`);
        draw(join(docs, 'pictures', `${picture}.png`), `${title}: a recorded conversation, played`, '', of.flatMap(panels), 2, [520, 280]);
}
