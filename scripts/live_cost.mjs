// What the live page costs a flight: for docs/live.md. Prints the rows of its tables.
//
//     node scripts/live_cost.mjs
//
// Lateness: one flight in real time; ten watch for two seconds, nobody for two, and so on. Frames and processor time: flights in lockstep that
// one watches. Drawn: pictures a second in headless Chromium, whose WebGL is software, and what it takes of a processor, of flights
// in lockstep at the pace of real time.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(new URL('../tests/node/', import.meta.url));
const puppeteer = require('puppeteer-core'), WebSocket = require('ws'), { ULog } = require('@foxglove/ulog'), { FileReader } = require('@foxglove/ulog/node');
const hilrig = join(process.env.BUILD ?? 'build', 'hilrig');
const scratch = mkdtempSync(join(tmpdir(), 'hilrig-live-cost-'));

async function fly(name, rig, pace, ...more) {
        const child = spawn(hilrig, ['run', rig, '--pace', pace, '--live', '--out', join(scratch, name), '--set', 'log.wire=false', ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
        const run = { child, begun: 0, ended: once(child, 'exit') };
        let said = '';
        run.url = await new Promise((done, fail) => {
                child.stderr.on('data', (bytes) => { said += bytes; const at = said.match(/^live page: (\S+)\n/m); if (at) done(at[1]); });
                child.on('exit', () => fail(new Error(said)));
        });
        return run;
}

function watch(run, hear) {
        const socket = new WebSocket(run.url.replace('http', 'ws') + 'stream', 'hilrig');
        socket.on('message', hear);
        socket.on('error', () => {});
        return socket;
}

// Of the page's thread, in s.
function processor(pid) {
        for (const task of readdirSync(`/proc/${pid}/task`)) {
                const stat = readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8');
                if (!stat.includes('(live page)')) continue;
                const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
                return (Number(fields[11]) + Number(fields[12])) / 100;
        }
        return NaN;
}

const quantile = (sorted, p) => sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))];

async function lateness() {
        const run = await fly('late', 'rig_configs/default.json', 'realtime');
        const spans = [];
        let time_s = 0, watching = [], since = null;
        // One who only tells the time is there throughout.
        watch(run, (text) => { const d = JSON.parse(text); if (d.kind === 'frame') time_s = d.time_s; });
        const turn = setInterval(() => {
                if (since === null) {
                        since = time_s;
                        watching = Array.from({ length: 10 }, () => watch(run, () => {}));
                } else {
                        spans.push([since, time_s]);
                        since = null;
                        watching.forEach((s) => s.terminate());
                }
        }, 2000);
        await run.ended;
        clearInterval(turn);
        const file = new FileReader(join(scratch, 'late/run.ulg')), log = new ULog(file);
        await log.open();
        const late = { ten: [], none: [] };
        for await (const m of log.readMessages()) {
                if (m.value === undefined || log.subscriptions.get(m.msgId)?.name !== 'hilrig_tick') continue;
                const t = Number(m.value.timestamp) / 1e6;
                late[spans.some(([from, to]) => t >= from && t < to) ? 'ten' : 'none'].push(m.value.lateness_ns / 1e3);
        }
        await file.close?.();
        for (const [name, values] of Object.entries(late)) {
                values.sort((a, b) => a - b);
                console.log(`| ${name} | ${values.length} | ${[0.5, 0.99, 0.999].map((p) => quantile(values, p).toFixed(1)).join(' | ')} | ${values.filter((x) => x > 1000).length} |`);
        }
}

async function frames(vehicles, rig) {
        const run = await fly(`v${vehicles}`, rig, 'lockstep', '--seconds', '20');
        let count = 0, bytes = 0, first = 0, last = 0, cost = 0, before = 0;
        watch(run, (text) => {
                const d = JSON.parse(text);
                if (d.kind !== 'frame') return;
                last = performance.now();
                if (!first) { first = last; before = processor(run.child.pid); }
                if (count % 16 === 0) cost = processor(run.child.pid);
                count++;
                bytes += text.length;
        });
        await run.ended;
        const took_s = (last - first) / 1000;
        console.log(`| ${vehicles} | ${(count / took_s).toFixed(0)} | ${(bytes / count / 1000).toFixed(1)} | ${(100 * (cost - before) / took_s).toFixed(1)} |`);
}

// All processes of one browser, in s.
function processorOf(folder) {
        let sum = 0;
        for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
                try {
                        if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) continue;
                        const stat = readFileSync(`/proc/${pid}/stat`, 'utf8'), fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
                        sum += (Number(fields[11]) + Number(fields[12])) / 100;
                } catch { /* It has ended. */ }
        return sum;
}

async function drawn(vehicles, rig) {
        const folder = join(scratch, 'browser' + vehicles), seconds = 15;
        const run = await fly(`drawn${vehicles}`, rig, 'lockstep', '--live-held', '--seconds', '40');
        const browser = await puppeteer.launch({ executablePath: spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim(), userDataDir: folder,
                args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', `--crash-dumps-dir=${folder}`] });
        const page = await browser.newPage();
        await page.setViewport({ width: 1440, height: 980 });
        await page.goto(run.url);
        await page.waitForSelector('#hands:not([hidden])');
        await page.select('#pace', '1');
        await page.click('#hold');
        await page.waitForFunction('window.hilrig.store.frames.length > 60');
        const before = processorOf(folder), heard = await page.evaluate('window.hilrig.store.frames.length');
        const pictures = await page.evaluate(`new Promise((done) => { let n = 0; const end = performance.now() + ${1000 * seconds}; const next = () => { n++; if (performance.now() < end) requestAnimationFrame(next); else done(n); }; requestAnimationFrame(next); })`);
        const took = processorOf(folder) - before, got = (await page.evaluate('window.hilrig.store.frames.length')) - heard;
        console.log(`| ${vehicles} | ${(got / seconds).toFixed(0)} | ${(pictures / seconds).toFixed(0)} | ${(100 * took / seconds).toFixed(0)} % |`);
        await browser.close();
        run.child.kill('SIGINT');
        await run.ended;
}

try {
        await lateness();
        await frames(1, 'rig_configs/default.json');
        await frames(8, 'rig_configs/rigs/flock_8.json');
        await frames(64, 'rig_configs/rigs/formation_64.json');
        await drawn(1, 'rig_configs/default.json');
        await drawn(8, 'rig_configs/rigs/flock_8.json');
        await drawn(64, 'rig_configs/rigs/formation_64.json');
} finally {
        rmSync(scratch, { recursive: true, force: true });
}
process.exit();
