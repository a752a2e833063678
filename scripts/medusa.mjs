// The places that MEDUSA tells of a flight of rig_configs/rigs/medusa.json beside its true path (FINken report, fig 4.8 and
// 4.9): table and picture for docs/experiments.md.
//
//     node scripts/medusa.mjs RUN docs
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { colours, draw, figure, readFlight, replaceBlock, table } from './flights.mjs';

const require = createRequire(new URL('../tests/node/package.json', import.meta.url));
const { MessageType, ULog } = require('@foxglove/ulog');
const { FileReader } = require('@foxglove/ulog/node');

const [folder, docs] = process.argv.slice(2);
if (!docs) {
        console.error('usage: node scripts/medusa.mjs RUN docs');
        process.exit(2);
}
const arena = [4, 3], maximum = 2.65, fromS = 12, toS = 53, restS = 2.9;

// A line for each round of the four sonars: time, yaw by the gyroscope alone, less what it said at rest; ranges, 0 without
// an echo.
async function readRounds() {
        const file = new FileReader(join(folder, 'run.ulg')), log = new ULog(file), lines = [];
        let yaw = 0, before = 0, bias = 0, atRest = 0;
        const ranges = [0, 0, 0, 0];

        await log.open();
        for await (const message of log.readMessages()) {
                if (message.type !== MessageType.Data) continue;
                const { name, multiId } = log.subscriptions.get(message.msgId), v = message.value;
                const t = Number(v.timestamp) / 1e6;
                if (name === 'sensor_combined') {
                        if (t < restS) bias += (v.gyro_rad[2] - bias) / ++atRest;
                        else yaw += (v.gyro_rad[2] - bias) * (t - before);
                        before = t;
                }
                // The first is the one that looks down.
                if (name !== 'distance_sensor' || multiId < 1 || multiId > 4) continue;
                ranges[multiId - 1] = v.signal_quality > 0 && v.current_distance < maximum ? v.current_distance : 0;
                if (multiId === 4 && t >= fromS && t <= toS) lines.push([t, yaw, ...ranges].join(' '));
        }
        await file.close();
        return lines;
}

const lines = await readRounds();
const program = join(process.env.BUILD ?? 'build', 'tests/programs/medusa');
const told = spawnSync(program, [...arena, maximum].map(String), { input: lines.join('\n'), encoding: 'utf8' });
if (told.status !== 0) throw new Error(`${program}: ${told.error ?? told.stderr}`);
const places = told.stdout.trim().split('\n').map((line) => line.split(' ').map(Number));
const path = (await readFlight(folder, {})).filter((r) => r.t >= fromS && r.t <= toS);
let at = 0;
const errors = places.map(([t, north, east]) => {
        while (at + 1 < path.length && path[at].t < t) at++;
        return Math.hypot(north - path[at].north, east - path[at].east);
}).sort((a, b) => a - b);
const quantile = (q) => figure(errors[Math.floor(q * (errors.length - 1))]);
const summary = JSON.parse(readFileSync(join(folder, 'summary.json'), 'utf8'));
replaceBlock(join(docs, 'experiments.md'), 'medusa', [
        table(['rounds of the sonars', 'with a place', 'error, median, m', '90 %', '99 %', 'largest'],
                [[lines.length, places.length, quantile(0.5), quantile(0.9), quantile(0.99), quantile(1)]]),
        `hilrig ${summary.version}.`,
].join('\n\n'));
const half = arena.map((m) => m / 2);
const walls = [[-half[1], -half[0]], [half[1], -half[0]], [half[1], half[0]], [-half[1], half[0]], [-half[1], -half[0]]];
const panel = (title, series) => ({
        title, y: 'north, m', xRange: [-1.8, 1.8], yRange: [-2.3, 2.3], key: 'top right',
        series: [{ rows: walls, colour: '#000000' }, series],
});
draw(join(docs, 'pictures', 'medusa.png'), 'A FINken in its arena', 'east, m', [
        panel('places that MEDUSA tells (fig 4.8)', { title: 'told', mark: 3, colour: colours[0], rows: places.map((p) => [p[2], p[1]]) }),
        panel('its true path (fig 4.9)', { title: 'true', colour: colours[2], rows: path.map((r) => [r.east, r.north]) }),
], 2, [420, 520]);
