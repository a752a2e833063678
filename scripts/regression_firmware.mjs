// How well `hilrig compare` does on a firmware: comparisons drawn from flights that were flown before, of the firmware
// as it is and with defects. Prints the tables of docs/regression.md.
//
//     node scripts/regression_firmware.mjs [--self 1000] [--draws 25] [--jobs N] SCENARIO OWN NAME=DEFECT...
//
// OWN and DEFECT are folders that `hilrig suite` wrote, several with commas between; the flights of that scenario are taken,
// of one rig. No flight is on both sides of a comparison, and none twice on one.
import { spawn } from 'node:child_process';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { draws, drawn, percent, upper } from './draws.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const hilrig = resolve(root, process.env.BUILD ?? 'build', 'hilrig');
const options = { self: 1000, draws: 25, jobs: 2 };
const counts = [3, 5, 10, 20];
const words = process.argv.slice(2);

while (words[0]?.startsWith('--')) options[words.shift().slice(2)] = Number(words.shift());
if (words.length < 2) {
        console.error('regression_firmware: see the head of this file');
        process.exit(2);
}

// Void flights show nothing.
const scenario = words.shift();
let flown = '';
function flights(folders) {
        const found = folders.split(',').flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true })
                .filter((entry) => entry.name === 'summary.json').map((entry) => join(entry.parentPath ?? entry.path, entry.name)));
        const kind = (file) => file.split('/').slice(-4, -2).join('/');
        flown ||= kind(found.find((file) => kind(file).endsWith(`/${scenario}`)) ?? '');
        return found.filter((file) => kind(file) === flown && /^(passed|failed)$/.test(JSON.parse(readFileSync(file, 'utf8')).verdict));
}

const scratch = mkdtempSync(join(tmpdir(), 'regression-'));
function layOut(folder, files) {
        rmSync(folder, { recursive: true, force: true });
        files.forEach((file, i) => {
                const run = join(folder, flown, `${i + 1}-1`);
                mkdirSync(run, { recursive: true });
                linkSync(file, join(run, 'summary.json'));
        });
        return folder;
}

async function compare(a, b, lane) {
        const sides = [layOut(join(scratch, `${lane}-a`), a), layOut(join(scratch, `${lane}-b`), b)];
        const child = spawn(hilrig, ['compare', ...sides, '--json'], { stdio: ['ignore', 'pipe', 'inherit'] });
        let text = '';
        for await (const part of child.stdout) text += part;
        const { verdict, rows } = JSON.parse(text);
        const names = (word) => rows.filter((row) => row.verdict === word).map((row) => row.name.replace(/ \(.*\)/, ''));
        return { verdict, regressed: names('regressed'), improved: names('improved') };
}

async function all(pairs) {
        const results = [], left = [...pairs];
        await Promise.all(Array.from({ length: options.jobs }, async (_, lane) => {
                for (let pair = left.shift(); pair; pair = left.shift()) results.push(await compare(...pair, lane));
        }));
        return results;
}

const words_of = (results) => (is) => percent(results.filter(is).length, results.length);
const own = flights(words[0]);
console.log(`${flown}: ${own.length} flights as it is\n`);
console.log('| seeds | an alarm | at most, with 95 % confidence | "same" | "too little data" |\n|---|---|---|---|---|');
for (const n of counts.filter((n) => n >= 10 && 2 * n <= own.length)) {
        const random = draws(n);
        const results = await all(Array.from({ length: options.self }, () => {
                const both = drawn(random, own, 2 * n);
                return [both.slice(0, n), both.slice(n)];
        }));
        const alarms = results.filter((r) => r.regressed.length + r.improved.length > 0).length, share = words_of(results);
        console.log(`| ${n} | ${alarms} of ${results.length} | ${percent(upper(alarms, results.length), 1)} | ` +
                `${share((r) => r.verdict === 'same')} | ${share((r) => r.verdict === 'too little data')} |`);
}

console.log(`\n| defect | flights | ${counts.map((n) => `${n}: found | passed over`).join(' | ')} | regressed most often |`);
console.log(`|---|---|${counts.map(() => '---|---|').join('')}---|`);
for (const word of words.slice(1)) {
        const [name, folders] = word.split('='), bad = flights(folders), cells = [], times = new Map();
        for (const n of counts) {
                const random = draws(n);
                if (n > bad.length || n > own.length) {
                        cells.push('- | -');
                        continue;
                }
                const results = await all(Array.from({ length: options.draws }, () => [drawn(random, own, n), drawn(random, bad, n)]));
                const share = words_of(results);
                cells.push(`${share((r) => r.verdict === 'regressed')} | ${share((r) => r.verdict === 'same' || r.verdict === 'improved')}`);
                for (const row of results.flatMap((r) => r.regressed)) times.set(row, (times.get(row) ?? 0) + 1);
        }
        const telling = [...times].sort((a, b) => b[1] - a[1]).slice(0, 3).map(([row]) => row).join(', ') || '-';
        console.log(`| ${name} | ${bad.length} | ${cells.join(' | ')} | ${telling} |`);
}
rmSync(scratch, { recursive: true });
