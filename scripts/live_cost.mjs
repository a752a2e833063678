// What the live page costs a flight and a browser; prints the tables of docs/live.md and, with --document, writes them there.
//
//     BUILD=build node scripts/live_cost.mjs [--document]
//
// Lateness: flights of the default rig in real time; for two seconds ten watch, for two nobody, and so on. Of each such pair the
// ten's quantile less nobody's. Drawn: flights in lockstep at the pace of real time, of which for some seconds one program hears
// the frames, then headless Chromium draws them.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { cpus, loadavg, release, tmpdir } from 'node:os';
import { join } from 'node:path';

const require = createRequire(new URL('../tests/node/', import.meta.url));
const puppeteer = require('puppeteer-core'), WebSocket = require('ws'), { ULog } = require('@foxglove/ulog'), { FileReader } = require('@foxglove/ulog/node');
const build = process.env.BUILD ?? 'build', hilrig = join(build, 'hilrig');
const scratch = mkdtempSync(join(tmpdir(), 'hilrig-live-cost-'));
const asleep = (ms) => new Promise((done) => setTimeout(done, ms));
const load = loadavg()[0].toFixed(1);
const children = [];

async function fly(name, ...words) {
        const child = spawn(hilrig, ['run', ...words, '--out', join(scratch, name), '--set', 'log.wire=false'], { stdio: ['ignore', 'ignore', 'pipe'] });
        const run = { child, ended: once(child, 'exit') };
        children.push(child);
        let said = '';
        run.url = await new Promise((done, fail) => {
                child.stderr.on('data', (bytes) => { said += bytes; const at = said.match(/^live page: (\S+)\n/m); if (at) done(new URL(at[1])); });
                child.on('exit', () => fail(new Error(said)));
        });
        return run;
}

function watch(run, hear = () => {}) {
        const to = new URL('stream' + run.url.search, run.url);
        to.protocol = 'ws:';
        const socket = new WebSocket(to, 'hilrig');
        socket.on('message', (text) => { const d = JSON.parse(text); if (d.kind === 'frame') hear(d, text.length); });
        socket.on('error', () => {});
        return socket;
}

// [user + system] of a /proc/.../stat, in s.
function processorOf(path) {
        const stat = readFileSync(path, 'utf8'), fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
        return (Number(fields[11]) + Number(fields[12])) / 100;
}

// Of the page's thread.
function server(pid) {
        const task = readdirSync(`/proc/${pid}/task`).find((t) => readFileSync(`/proc/${pid}/task/${t}/comm`, 'utf8').trim() === 'live page');
        return processorOf(`/proc/${pid}/task/${task}/stat`);
}

// Of all processes of one browser.
function processorOfBrowser(folder) {
        let sum = 0;
        for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
                try {
                        if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) sum += processorOf(`/proc/${pid}/stat`);
                } catch { /* It has ended. */ }
        return sum;
}

const quantile = (values, p) => { const sorted = [...values].sort((a, b) => a - b); return sorted[Math.min(sorted.length - 1, Math.floor(p * sorted.length))]; };

async function lateTicks(folder) {
        const file = new FileReader(join(folder, 'run.ulg')), log = new ULog(file), ticks = [];
        await log.open();
        for await (const m of log.readMessages())
                if (m.value !== undefined && log.subscriptions.get(m.msgId)?.name === 'hilrig_tick') ticks.push([Number(m.value.timestamp) / 1e6, m.value.lateness_ns / 1e3]);
        await file.close?.();
        return ticks;
}

// Each span of ten watchers, as they heard it, and what lies between it and the next. While they come and go is neither's.
async function pairs(name) {
        const run = await fly(name, 'rig_configs/default.json', '--pace', 'realtime', '--live'), spans = [];
        let over = false;
        run.ended.then(() => { over = true; });
        await asleep(3000);
        while (!over) {
                const heard = [], watching = Array.from({ length: 10 }, () => watch(run, (d) => heard.push(d.time_s)));
                await asleep(2200);
                watching.forEach((s) => s.terminate());
                if (!over && heard.length > 20) spans.push([Math.min(...heard), Math.max(...heard)]);
                await asleep(2200);
        }
        const ticks = await lateTicks(join(scratch, name)), within = (from, to) => ticks.filter(([t]) => t >= from && t < to).map(([, us]) => us);
        return spans.slice(0, -1).map(([from, to], i) => ({ ten: within(from, to), none: within(to + 0.1, spans[i + 1][0] - 0.1) })).filter((p) => p.ten.length > 1000 && p.none.length > 1000);
}

async function lateness(flights) {
        const all = [], rows = [], whole = { ten: [], none: [] };
        for (let i = 0; i < flights; i++) all.push(...await pairs('late' + i));
        for (const key of ['ten', 'none']) {
                for (const p of all) for (const us of p[key]) whole[key].push(us);
                const { length } = whole[key];
                rows.push([{ ten: 'ten', none: 'nobody' }[key], length, ...[0.5, 0.99, 0.999].map((p) => quantile(whole[key], p).toFixed(1)), whole[key].filter((x) => x > 1000).length]);
        }
        const off = (p) => {
                const each = all.map(({ ten, none }) => quantile(ten, p) - quantile(none, p)), mean = each.reduce((sum, x) => sum + x, 0) / each.length;
                const error = Math.sqrt(each.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (each.length - 1) / each.length);
                return `${mean.toFixed(1)} ± ${(2 * error).toFixed(1)}`;
        };
        rows.push([`difference, mean of ${all.length} pairs ± 2 standard errors`, '', off(0.5), off(0.99), '', '']);
        return [['watching', 'periods', 'median', '99 %', '99.9 %', 'later than 1 ms'], ...rows];
}

async function drawn(vehicles, rig) {
        const seconds = 12, folder = join(scratch, 'browser' + vehicles), count = { frames: 0, bytes: 0, first: null, last: null };
        const run = await fly('drawn' + vehicles, rig, '--pace', 'lockstep', '--live-held');
        const plain = watch(run, (d, bytes) => { count.frames++; count.bytes += bytes; count.first ??= d.time_s; count.last = d.time_s; });
        await once(plain, 'open');
        plain.send('{"kind":"do","what":"pace","value":1}');
        plain.send('{"kind":"do","what":"go"}');
        // On the ground everything is quicker.
        while (!(count.last > 6)) await asleep(50);
        Object.assign(count, { frames: 0, bytes: 0, first: null });
        const begun = performance.now(), cost = server(run.child.pid);
        await asleep(1000 * seconds);
        const took_s = (performance.now() - begun) / 1000, served = (server(run.child.pid) - cost) / took_s;
        const row = [vehicles, ((count.last - count.first) / took_s).toFixed(2), (count.frames / took_s).toFixed(0), (count.bytes / count.frames / 1000).toFixed(1), (100 * served).toFixed(1) + ' %'];
        plain.terminate();

        const browser = await puppeteer.launch({ executablePath: spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim(), userDataDir: folder,
                args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', `--crash-dumps-dir=${folder}`] });
        const page = await browser.newPage();
        await page.setViewport({ width: 1440, height: 980 });
        await page.goto(run.url.href);
        await page.waitForFunction('window.hilrig.store.frames.length > 60', { timeout: 0 });
        const before = processorOfBrowser(folder), page_before = server(run.child.pid);
        const seen = await page.evaluate(`new Promise((done) => {
                const { store } = window.hilrig, number = () => store.frames[store.frames.length - 1].number, first = number(), lost = store.lost, begun = performance.now();
                let n = 0;
                const next = () => {
                        const took_s = (performance.now() - begun) / 1000;
                        n++;
                        if (took_s < ${seconds}) requestAnimationFrame(next);
                        else done({ took_s, pictures: n / took_s, heard: (number() - first - store.lost + lost) / took_s, lost: (store.lost - lost) / took_s, end: store.end });
                };
                requestAnimationFrame(next);
        })`);
        if (seen.end) throw new Error(`the flight of ${vehicles} was over while it was watched`);
        const share = (s) => (100 * s / seen.took_s).toFixed(0) + ' %';
        row.push(seen.heard.toFixed(0), seen.lost.toFixed(0), seen.pictures.toFixed(0), share(processorOfBrowser(folder) - before), (100 * (server(run.child.pid) - page_before) / seen.took_s).toFixed(1) + ' %');
        await browser.close();
        run.child.kill('SIGINT');
        await run.ended;
        return row;
}

function write(name, [head, ...rows]) {
        const version = spawnSync(hilrig, ['--version'], { encoding: 'utf8' }).stdout.trim(), optimised = readFileSync(join(build, 'flags.txt'), 'utf8').match(/-O\d/)[0];
        const line = `*${version}, built with ${optimised}, ${new Date().toISOString().slice(0, 10)}: ${cpus().length} x ${cpus()[0].model.trim()}, kernel ${release()}, no graphics processor, load ${load} before.*`;
        const text = [head, head.map(() => '---'), ...rows].map((r) => `| ${r.join(' | ')} |`).join('\n') + '\n\n' + line + '\n', page = readFileSync('docs/live.md', 'utf8');
        console.log(text);
        if (process.argv.includes('--document')) writeFileSync('docs/live.md', page.replace(new RegExp(`(<!-- live ${name} -->\n)[^]*?(<!-- end -->)`), (whole, from, to) => from + text + to));
}

try {
        const rows = [];
        write('lateness', await lateness(2));
        for (const [vehicles, rig] of [[1, 'rig_configs/default.json'], [8, 'rig_configs/rigs/flock_8.json'], [64, 'rig_configs/rigs/formation_64.json']])
                rows.push(await drawn(vehicles, rig));
        write('drawn', [['vehicles', 'times real time', 'frames/s', 'kB a frame', "page's thread", 'frames/s in the browser', 'lost/s', 'pictures/s', 'all of the browser', "page's thread then"], ...rows]);
} finally {
        for (const child of children) child.kill('SIGKILL');
        rmSync(scratch, { recursive: true, force: true });
}
process.exit();
