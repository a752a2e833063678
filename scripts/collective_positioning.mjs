// How far off several vehicles are by their IMUs alone, and by the distances between them: the flight of collective_8.json by
// 1, 2, 4 and 8, and the table of docs/fleets.md.
//
//   node scripts/collective_positioning.mjs [--seeds 10] [--jobs 2] [--work FOLDER] [--page docs/fleets.md]
import { readFileSync } from 'node:fs';
import { flyAll, options, replaceTable } from './fleet_flights.mjs';

const COUNTS = [1, 2, 4, 8], LAWS = ['inertial', 'collective'], AFTER = [12, 20, 30];
const bounds = JSON.parse(readFileSync('rig_configs/scenarios/collective_positioning.json')).parameters;

const flights = await flyAll(COUNTS.flatMap((count) => LAWS.flatMap((law) =>
        Array.from({ length: Number(options.seeds) }, (_, i) => ({
                key: `${count} ${law}`, seed: i + 1, rig: 'rig_configs/rigs/collective_8.json',
                args: ['--set', `vehicles.0.copies.count=${count}`, '--set', `vehicles.*.fc.reference.laws.navigation=${law}`],
        })))));

// What a requirement's robustness says of the error that it bounds.
function errors(key, after) {
        const sorted = flights.filter((f) => f.key === key).map((f) =>
                bounds[`error_${after}_m`] - f.summary.requirements.find((r) => r.name === `${after} s`).robustness).sort((a, b) => a - b);
        const mean = sorted.reduce((a, b) => a + b) / sorted.length;
        return `${mean.toFixed(2)} (${sorted.at(-1).toFixed(2)})`;
}

replaceTable('collective', [
        `| vehicles | ${LAWS.flatMap((law) => AFTER.map((after) => `${law}, ${after} s`)).join(' | ')} |`,
        `|${'---|'.repeat(1 + LAWS.length * AFTER.length)}`,
        ...COUNTS.map((count) => `| ${count} | ${LAWS.flatMap((law) => AFTER.map((after) => errors(`${count} ${law}`, after))).join(' | ')} |`),
]);
