// The live page in headless Chromium, by puppeteer-core, which downloads no browser; its stream by npm's ws; its head by plain
// sockets. What a page shows is compared with run.ulg as Foxglove's reader has it.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ULog } from '@foxglove/ulog';
import puppeteer from 'puppeteer-core';
import WebSocket from 'ws';
import { accessible } from './pages/accessible.mjs';

const { FileReader } = createRequire(import.meta.url)('@foxglove/ulog/node');
const root = fileURLToPath(new URL('../..', import.meta.url));
const build = process.env.BUILD ?? 'build';
const hilrig = join(build.startsWith('/') ? '' : root, build, 'hilrig');
const rig = join(root, 'rig_configs/default.json');
// That of tests/run/start.sh: watching changes no bit.
const signal = readFileSync(join(root, 'tests/run/start.sh'), 'utf8').match(/[0-9a-f]{64}/)[0];
const scratch = mkdtempSync(join(tmpdir(), 'hilrig-live-'));
const children = [];
let checks = 0;
let browser;

function check(truth, what) {
        checks++;
        if (!truth) throw new Error(what);
}

const asleep = (ms) => new Promise((done) => setTimeout(done, ms));

async function until(what, look, patience_ms = 60000) {
        for (let waited = 0; waited < patience_ms; waited += 20) {
                const found = await look();
                if (found) return found;
                await asleep(20);
        }
        throw new Error(`waited for ${what} in vain`);
}

// Starts `hilrig WORDS...` and learns where its page is.
async function serve(words) {
        const child = spawn(hilrig, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
        const said = { out: '', err: '' };
        children.push(child);
        child.stdout.on('data', (bytes) => (said.out += bytes));
        child.stderr.on('data', (bytes) => (said.err += bytes));
        const ended = once(child, 'exit');
        const url = await until('the page of ' + words.join(' '), () => {
                if (child.exitCode !== null) throw new Error(`hilrig ${words.join(' ')}: ${said.err}`);
                return (said.err + said.out).match(/^live page: (\S+)\n/m)?.[1];
        });
        return { child, said, url: new URL(url), ended };
}

const fly = (name, ...more) => serve(['run', rig, '--pace', 'lockstep', '--out', join(scratch, name), '--live', ...more]);

// It stands still until somebody is there who lets it go on: a flight in lockstep may be over before a browser has looked.
const flyHeld = (name, ...more) => fly(name, '--live-held', ...more);

async function landed(run) {
        const [status] = await run.ended;
        check(status === 0, `the flight's exit status is ${status}: ${run.said.err}`);
        return run.said.out.match(/^signal ([0-9a-f]{64})/m)?.[1];
}

// One who watches by the stream alone; ended is fulfilled however it ends.
function watch(url, options = {}) {
        const to = new URL('stream' + url.search, url);
        to.protocol = 'ws:';
        const socket = new WebSocket(to, 'hilrig', options);
        const watching = { socket, heard: [], opened: false, ended: new Promise((done) => socket.on('close', done)) };
        socket.on('open', () => (watching.opened = true));
        socket.on('error', () => {});
        socket.on('message', (text) => watching.heard.push(JSON.parse(text)));
        return watching;
}

// The first line that plain bytes are answered with, or "" where the connection is closed without one.
function answer(url, bytes) {
        return new Promise((done) => {
                const socket = net.connect(url.port, url.hostname, () => socket.write(bytes));
                let heard = '';
                socket.on('data', (more) => {
                        heard += more;
                        if (heard.includes('\r\n')) socket.destroy();
                });
                socket.on('error', () => {});
                socket.on('close', () => done(heard.split('\r\n')[0]));
                setTimeout(() => socket.destroy(), 20000).unref();
        });
}

const upgrade = (host, more = '', path = '/stream') =>
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Protocol: hilrig\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

async function readLog(folder) {
        const file = new FileReader(join(folder, 'run.ulg'));
        const log = new ULog(file);
        const topics = {};
        await log.open();
        for await (const m of log.readMessages()) {
                if (m.value?.timestamp === undefined) continue;
                const name = log.subscriptions.get(m.msgId)?.name;
                if (name === undefined) continue;
                (topics[name] ??= []).push(m.value);
        }
        await file.close?.();
        return topics;
}

// "hilrig_tick.duty[2]" in the newest record that is not later.
function logged(topics, name, time_s) {
        const [, topic, field, element] = name.match(/^(\w+)\.(\w+)(?:\[(\d+)\])?$/);
        const rows = topics[topic] ?? [], t = Math.round(time_s * 1e6);
        let low = 0, high = rows.length - 1;
        if (!rows.length || Number(rows[0].timestamp) > t) return null;
        while (low < high) {
                const mid = (low + high + 1) >> 1;
                if (Number(rows[mid].timestamp) <= t) low = mid;
                else high = mid - 1;
        }
        const value = rows[low][field];
        return Number(element === undefined ? value : value[Number(element)]);
}

const quantities = ['hilrig_tick.duty[0]', 'hilrig_tick.duty[3]', 'hilrig_rotors.speed_radps[1]', 'vehicle_local_position_groundtruth.x',
        'vehicle_local_position_groundtruth.vz', 'vehicle_attitude_groundtruth.q[2]', 'sensor_combined.gyro_rad[1]', 'hilrig_surroundings.battery_v'];

function compare(frames, topics, what) {
        const with_values = frames.filter((f) => f.values && quantities.every((q) => q in f.values) && f.time_s > 0.5);
        let compared = 0;
        check(with_values.length >= 20, `${what}: only ${with_values.length} frames have values`);
        for (let i = 0; i < 100; i++) {
                const frame = with_values[Math.floor(Math.random() * with_values.length)];
                const name = quantities[i % quantities.length], wanted = logged(topics, name, frame.time_s);
                check(wanted !== null && frame.values[name] === wanted, `${what}: ${name} at ${frame.time_s} s is ${frame.values[name]} on the page, ${wanted} in the log`);
                compared += wanted !== 0;
        }
        check(compared > 50, `${what}: nearly all values are 0, which shows nothing`);
}

// A page with everything that it complains of; that nobody listens any more is no fault of its own.
async function openPage(url, size = { width: 1280, height: 900 }) {
        const page = await browser.newPage();
        page.complaints = [];
        page.on('console', (m) => {
                if (['error', 'warning', 'warn'].includes(m.type()) && !/WebSocket connection to .* failed/.test(m.text())) page.complaints.push(m.text());
        });
        page.on('pageerror', (e) => page.complaints.push(e.message));
        page.on('request', (r) => {
                if (new URL(r.url()).protocol !== 'data:' && new URL(r.url()).host !== url.host) page.complaints.push('asks for ' + r.url());
        });
        await page.setViewport(size);
        await page.goto(url.href);
        return page;
}

const seen = (page, what) => page.evaluate(`(${what})(window.hilrig)`);

async function inBrowser() {
        const run = await flyHeld('seen', '--set', 'log.truth_rate_hz=1000');
        const page = await openPage(run.url);
        await until('the scene', () => seen(page, '(h) => h.store.hands?.held'));
        check((await seen(page, '(h) => h.store.frames.length')) === 0, 'a flight that is held at its beginning has begun');
        await seen(page, `(h) => { for (const name of ${JSON.stringify(quantities)}) {
                document.getElementById('quantity').value = name;
                document.getElementById('asking').requestSubmit(); } }`);
        // Orders come behind the questions, on one connection.
        await page.click('#hold');
        await until('the end', () => seen(page, '(h) => h.store.end !== null'));
        check((await landed(run)) === signal, 'a flight that was held at its beginning has another signal');
        const frames = await seen(page, '(h) => h.store.frames');
        compare(frames, await readLog(join(scratch, 'seen')), 'live');
        const shown = await page.evaluate(() => ({
                verdict: document.getElementById('state').className,
                badges: [...document.querySelectorAll('#requirements .badge')].map((b) => b.className),
                plots: document.querySelectorAll('#plots .canvas canvas').length,
                said: document.querySelectorAll('#events tbody tr').length,
                wide: document.documentElement.scrollWidth - window.innerWidth,
        }));
        const summary = JSON.parse(readFileSync(join(scratch, 'seen/summary.json')));
        check(shown.verdict === summary.verdict, `the page says ${shown.verdict}, the summary ${summary.verdict}`);
        await until('every badge', async () => (await page.$$eval('#requirements .badge.passed', (all) => all.length)) === summary.requirements.length);
        check(shown.badges.length === summary.requirements.length, `${shown.badges.length} requirements are listed`);
        check(shown.plots > 0, 'no curve is drawn');
        check(shown.said > 2, 'no event is listed');
        check(shown.wide <= 0, `the page is ${shown.wide} px wider than the screen`);
        await bands(page, summary);
        // The sky's dots are the receiver's satellites, none of them below its mask of 5 degrees.
        const sky = await page.$$eval('.sky circle[data-prn]', (all) => all.filter((c) => c.style.display === '').map((c) => ({ used: c.classList.contains('used'), far: Math.hypot(c.cx.baseVal.value, c.cy.baseVal.value) })));
        const fix = frames.at(-1).vehicles[0].gps;
        check(fix.satellites > 4 && sky.filter((s) => s.used).length === fix.satellites, `${fix.satellites} satellites are used, the sky shows ${JSON.stringify(sky)}`);
        check(sky.length >= fix.satellites && sky.every((s) => s.far <= 30 && !(s.used && s.far > 30 * 85.1 / 90)), `a satellite is out of the sky: ${JSON.stringify(sky)}`);
        // Keys that are letters can be turned off.
        await page.click('#shortcuts');
        await page.keyboard.press('d');
        check(await page.evaluate(() => !document.documentElement.dataset.theme), 'keys act that were turned off');
        await page.click('#shortcuts');
        await accessible(page, 'the live page', check);
        await page.focus('#time');
        // Back in time by the keyboard, and on by a click.
        await page.keyboard.press('ArrowLeft');
        const back = await until('an earlier frame', () => seen(page, '(h) => document.getElementById("play").textContent === "Play" && document.getElementById("time_now").textContent'));
        check(parseFloat(back) < frames.at(-1).time_s, `the left arrow shows ${back}`);
        check(page.complaints.length === 0, `the browser complains: ${page.complaints.join('; ')}`);
        await page.close();
}

// Below its curve a requirement is drawn as it was judged: in its window, within its bounds, in its colour.
async function bands(page, summary) {
        const asked = JSON.parse(readFileSync(join(scratch, 'seen/config.json'))).scenario.requirements, holds = asked.find((r) => r.name === 'holds its height');
        await page.select('#window', '0');
        await page.$eval('#curves', (e) => e.scrollIntoView());
        await until('the curve', () => seen(page, '(h) => Boolean(h.curves.drawn("Up").graph)'));
        await asleep(500);
        const drawn = await seen(page, `(h) => { const { graph, bands } = h.curves.drawn('Up'), canvas = graph.canvas_, ink = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
                [ink.canvas.width, ink.canvas.height] = [canvas.width, canvas.height];
                const below = graph.hidden_; ink.drawImage(below, 0, 0);
                const dense = below.width / below.clientWidth, at = (t, v) => [...ink.getImageData(graph.toDomXCoord(t) * dense, graph.toDomYCoord(v) * dense, 1, 1).data];
                return { ground: h.store.scene.ground_down_m, bands: bands.map((b) => ({ name: b.name, min: b.min, max: b.max, from_s: b.from_s, to_s: b.to_s, tone: b.tone })), within: at(20.3, 4.55), below: at(20.3, 2.55), before: at(2.2, 4.55) }; }`);
        const band = drawn.bands.find((b) => b.name === holds.name), outcome = summary.requirements.find((r) => r.name === holds.name).outcome;
        check(band?.tone === outcome && Math.abs(band.min + drawn.ground - holds.min) < 1e-9 && Math.abs(band.max + drawn.ground - holds.max) < 1e-9 && band.from_s === holds.from_s, `${JSON.stringify(band)} is drawn of ${JSON.stringify(holds)}, ${outcome}`);
        check(drawn.within[3] > 0 && drawn.within[1] > drawn.within[0] && drawn.below[3] === 0 && drawn.before[3] === 0, `in the band it is ${drawn.within}, below ${drawn.below}, before ${drawn.before}`);
}

// Recorded runs, played by the same page.
async function recorded() {
        const other = await fly('other', '--seed', '7', '--seconds', '12', '--set', 'log.truth_rate_hz=1000');
        await other.ended;
        const run = await serve(['view', join(scratch, 'seen'), join(scratch, 'other')]);
        const page = await openPage(run.url);
        const ask = () => seen(page, `(h) => { for (const name of ${JSON.stringify(quantities)}) {
                document.getElementById('quantity').value = name;
                document.getElementById('asking').requestSubmit(); } }`);
        const whole = () => until('all values', () => seen(page, `(h) => h.store.end !== null && h.store.frames.length > 100 &&
                h.store.frames.every((f) => f.values && ${JSON.stringify(quantities)}.every((q) => q in f.values))`));
        await until('the first run', () => seen(page, '(h) => h.store.end !== null && h.store.frames.length > 1000'));
        await ask();
        await whole();
        compare(await seen(page, '(h) => h.store.frames'), await readLog(join(scratch, 'seen')), 'recorded');
        const summary = JSON.parse(readFileSync(join(scratch, 'seen/summary.json')));
        check((await seen(page, '(h) => h.store.end.verdict')) === summary.verdict, 'the verdict is not that of the summary');
        check((await seen(page, '(h) => h.store.rows.map((r) => r.outcome).join()')) === summary.requirements.map((r) => r.outcome).join(), 'the requirements are not those of the summary');
        // It plays by itself, and ends where the run does.
        await page.select('#speed', '5');
        await until('the end of the film', async () => parseFloat(await page.$eval('#time_now', (e) => e.textContent)) >= summary.sim_time_s - 0.05);
        await page.select('#run', '1');
        await until('the second run', () => seen(page, '(h) => h.store.run === 1 && h.store.end !== null && h.store.frames.length > 100'));
        await whole();
        compare(await seen(page, '(h) => h.store.frames'), await readLog(join(scratch, 'other')), 'the second recorded');
        // Who wants less motion starts it by hand.
        await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
        await page.reload();
        await until('the run once more', () => seen(page, '(h) => h.store.end !== null'));
        check((await page.$eval('#play', (e) => e.textContent)) === 'Play' && (await page.$eval('#time', (e) => e.value)) === '0', 'it plays by itself for who wants less motion');
        check(page.complaints.length === 0, `the browser complains: ${page.complaints.join('; ')}`);
        await page.close();
        run.child.kill('SIGTERM');
        const [status] = await run.ended;
        check(status === 0, `hilrig view ends with ${status}`);
        for (const folder of [scratch, join(scratch, 'none'), join(root, 'docs')]) {
                const refused = spawnSync(hilrig, ['view', folder], { encoding: 'utf8' });
                check(refused.status === 2 && refused.stderr.includes(folder), `${folder}: ${refused.status} ${refused.stderr}`);
        }
}

// A video, in which Chromium finds at each moment the picture that is in the folder of PNGs, by the time that is written there.
async function film() {
        const flown = await fly('brief', '--seconds', '0.2');
        await flown.ended;
        const run = join(scratch, 'brief'), video = join(scratch, 'film.webm'), folder = join(scratch, 'film/');
        const record = (path, more = {}) => spawnSync(hilrig, ['view', run, '--record', path], { encoding: 'utf8', ...more });
        for (const path of [video, folder]) {
                const made = record(path);
                check(made.status === 0 && made.stdout === `${path}: 0.20 s, 6 pictures\n`, `${path}: ${made.status} ${made.stdout}${made.stderr}`);
        }
        const pictures = readdirSync(folder).sort().map((name) => readFileSync(join(folder, name)).toString('base64'));
        check(pictures.length === 6, `${pictures.length} pictures`);
        const page = await browser.newPage();
        const like = await page.evaluate(async (data, pngs) => {
                const film = document.createElement('video'), loaded = (e, name) => new Promise((done, fail) => { e.addEventListener(name, done, { once: true }); e.addEventListener('error', () => fail(new Error(name + ': ' + (e.error?.message ?? 'no picture')))); });
                // Where the time is.
                const paint = (from) => { const c = new OffscreenCanvas(400, 60).getContext('2d'); c.drawImage(from, 860, 10, 400, 60, 0, 0, 400, 60); return c.getImageData(0, 0, 400, 60).data; };
                const wanted = [];
                for (const png of pngs) { const image = new Image(), there = loaded(image, 'load'); image.src = 'data:image/png;base64,' + png; await there; wanted.push(paint(image)); }
                const there = loaded(film, 'canplaythrough');
                film.src = 'data:video/webm;base64,' + data;
                await there;
                const nearest = [], times = [];
                for (let k = 0; k < pngs.length; k++) {
                        // A busy browser says that it has sought before it shows what it found.
                        const shown = new Promise((done) => film.requestVideoFrameCallback((now, { mediaTime }) => done(mediaTime)));
                        film.currentTime = Math.min(k / 25 + 0.02, film.duration);
                        times.push(Math.round(1000 * await shown));
                        const seen = paint(film), off = wanted.map((w) => w.reduce((sum, x, i) => sum + Math.abs(x - seen[i]), 0));
                        nearest.push(off.indexOf(Math.min(...off)));
                }
                return { nearest, times, duration: film.duration, size: [film.videoWidth, film.videoHeight] };
        }, readFileSync(video).toString('base64'), pictures);
        check(like.size.join() === '1280,720' && Math.abs(like.duration - 0.24) < 1e-3, `the video is ${like.size} large and ${like.duration} s long`);
        check(like.nearest.every((n, k) => n === k), `the video's pictures are ${like.nearest}, at ${like.times} ms`);
        await page.close();
        const without = record(video, { env: { ...process.env, PATH: scratch } });
        check(without.status === 2 && /needs Chromium/.test(without.stderr), `without Chromium: ${without.status} ${without.stderr}`);
        for (const [words, says] of [[[run, run, '--record', video], /one run/], [[run, '--record', 'film.gif'], /FILE\.webm/], [[run, '--record', join(scratch, 'none/film.webm')], /none\/film\.webm/]]) {
                const refused = spawnSync(hilrig, ['view', ...words], { encoding: 'utf8' });
                check(refused.status === 2 && says.test(refused.stderr), `${words}: ${refused.status} ${refused.stderr}`);
        }
}

// Several vehicles on every size of screen: the list is sorted, a click follows, and each vehicle is drawn where it is.
async function fleets() {
        const flown = await serve(['run', join(root, 'rig_configs/rigs/flock_8.json'), '--pace', 'lockstep', '--seconds', '15', '--out', join(scratch, 'flock'), '--live', '--set', 'log.wire=false']);
        await flown.ended;
        const run = await serve(['view', join(scratch, 'flock')]);
        const page = await openPage(run.url);
        await until('the flock', () => seen(page, '(h) => h.store.end !== null && h.store.frames.length > 50'));
        await seen(page, '(h) => h.go(h.store.end_s() * 0.9)');
        const rows = await until('the list', async () => {
                const all = await page.$$eval('#fleet tbody tr', (trs) => trs.map((tr) => [...tr.cells].map((td) => td.textContent)));
                return all.length === 8 && all;
        });
        const off = rows.map((r) => parseFloat(r[3]));
        check(off.every((m, i) => i === 0 || !(m > off[i - 1])), `the list is not sorted: ${off}`);
        await page.click('#fleet tbody tr:nth-child(3) button');
        const followed = await page.$eval('#vehicle', (e) => e.selectedOptions[0].textContent);
        check(rows.some((r) => r[0] === followed), `${followed} is followed`);
        await until('the one that is followed', async () => (await page.$eval('#fleet button[aria-pressed="true"]', (e) => e.textContent).catch(() => '')) === followed);
        for (const [width, height] of [[390, 844], [820, 1180], [1440, 900], [2560, 1300]])
                for (const camera of ['follow', 'orbit', 'top']) {
                        await page.setViewport({ width, height });
                        await page.click(`[data-camera="${camera}"]`);
                        await asleep(50);
                        const drawn = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => {
                                const canvas = document.querySelector('#scene canvas'), box = canvas.getBoundingClientRect(), dense = canvas.width / box.width;
                                // A canvas may be read once.
                                const ink = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
                                [ink.canvas.width, ink.canvas.height] = [canvas.width, canvas.height];
                                ink.drawImage(canvas, 0, 0);
                                const paper = [...ink.getImageData(1, 1, 1, 1).data];
                                const frame = window.hilrig.store.at(parseFloat(document.getElementById('time').value));
                                let inside = 0, inked = 0;
                                for (const v of frame.vehicles) {
                                        const at = window.hilrig.scene().project(v.p);
                                        if (!at || at[0] < 3 || at[1] < 3 || at[0] > box.width - 3 || at[1] > box.height - 3) continue;
                                        inside++;
                                        const near = ink.getImageData((at[0] - 3) * dense, (at[1] - 3) * dense, 7 * dense, 7 * dense).data;
                                        for (let i = 0; i < near.length; i += 4) if (Math.abs(near[i] - paper[0]) + Math.abs(near[i + 1] - paper[1]) + Math.abs(near[i + 2] - paper[2]) > 90) { inked++; break; }
                                }
                                done({ inside, inked, wide: document.documentElement.scrollWidth - window.innerWidth });
                        }))));
                        check(drawn.inside >= (camera === 'follow' ? 1 : 8), `${width}x${height}, ${camera}: ${drawn.inside} vehicles are in sight`);
                        check(drawn.inked === drawn.inside, `${width}x${height}, ${camera}: ${drawn.inked} of ${drawn.inside} vehicles are drawn`);
                        check(drawn.wide <= 0, `${width}x${height}: ${drawn.wide} px wider than the screen`);
                }
        check(page.complaints.length === 0, `the browser complains: ${page.complaints.join('; ')}`);
        await page.close();
        run.child.kill('SIGTERM');
        await run.ended;
}

// Many at once, who leave when they like, and one who never reads.
async function manyViewers() {
        const run = await flyHeld('many', '--set', 'log.wire=false');
        const all = [];
        for (let i = 0; i < 20; i++) {
                const one = watch(run.url);
                one.leaves = i % 2 === 0 ? 5 + 3 * i : Infinity;
                one.socket.on('message', () => { if (one.heard.length >= one.leaves) one.socket.terminate(); });
                if (i === 19) one.socket.on('open', () => one.socket._socket.pause());
                all.push(one);
        }
        await until('twenty who watch', () => all.every((one) => one.opened));
        all[0].socket.send('{"kind":"do","what":"go"}');
        check((await landed(run)) === signal, 'twenty who watch change the signal');
        all[19].socket.terminate();
        await Promise.all(all.map((one) => one.ended));
        all.slice(0, 19).forEach((one, i) => {
                check(one.opened, `viewer ${i} was not let in`);
                check(one.heard[0]?.kind === 'scene', `viewer ${i} hears ${one.heard[0]?.kind} first`);
                if (one.leaves < Infinity) return;
                const frames = one.heard.filter((d) => d.kind === 'frame'), end = one.heard.filter((d) => d.kind === 'end');
                check(end.length === 1 && end[0].verdict === 'passed', `viewer ${i} does not hear the end`);
                check(frames.length > 20, `viewer ${i} hears ${frames.length} frames`);
                const gaps = frames.slice(1).reduce((sum, f, n) => sum + f.number - frames[n].number - 1, 0);
                check(frames.at(-1).lost === gaps, `viewer ${i}: ${gaps} frames are missing, ${frames.at(-1).lost} are told of`);
                check(frames.every((f, n) => n === 0 || f.time_s > frames[n - 1].time_s), `viewer ${i}: time goes backwards`);
        });
}

// In a flight that goes on: who has no business here, and who talks nonsense.
async function strangers() {
        const run = await fly('strange', '--set', 'log.wire=false', '--set', 'stop_after_s=86400', '--scenario', longScenario());
        const host = run.url.host, own = `Origin: http://${host}\r\n`;
        const get = (name, path = '/', more = '') => `GET ${path} HTTP/1.1\r\nHost: ${name}\r\n${more}\r\n`;
        const status = async (bytes) => (await answer(run.url, bytes)).split(' ')[1] ?? 'none';

        check((await status(get(host))) === '200', 'the page is not handed out');
        check((await status(get(`localhost:${run.url.port}`))) === '200', 'localhost is refused');
        check((await status(get(host, '/etc/passwd'))) === '404', 'another path is answered');
        for (const name of ['evil.example', `evil.example:${run.url.port}`, `127.0.0.1.evil.example:${run.url.port}`, '127.0.0.1:1', '192.0.2.7:' + run.url.port, ''])
                check((await status(get(name))) === '403' || (name === '' && (await status(get(name))) !== '200'), `Host "${name}" gets the page`);
        check((await status(get(host, '/', 'Origin: http://evil.example\r\n'))) === '403', 'another site gets the page');
        check((await status(upgrade(host, own))) === '101', 'the page itself is not let in');
        for (const origin of ['http://evil.example', 'null', `https://${host}`, `http://${host}.evil.example`, `http://${host}/`])
                check((await status(upgrade(host, `Origin: ${origin}\r\n`))) !== '101', `the stream is open to ${origin}`);
        check((await status(upgrade(`evil.example:${run.url.port}`, `Origin: http://evil.example:${run.url.port}\r\n`))) !== '101', 'a name that points here is let in');

        // Frames as they must not be, each on a connection of its own.
        const raw = [[0x81, 0x05, 1, 2, 3, 4, 5], [0x83, 0x80, 0, 0, 0, 0], [0x89, 0xfe, 0xff, 0xff, 0, 0, 0, 0], [0xf1, 0x80, 0, 0, 0, 0],
                [0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4], [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28],
                [0x80, 0x81, 0, 0, 0, 0, 0x41], [0x88, 0x81, 0, 0, 0, 0, 0x01]];
        for (let i = 0; i < 60; i++) raw.push(Array.from({ length: 1 + (i * 37) % 200 }, () => Math.floor(256 * Math.random())));
        for (const bytes of raw)
                await new Promise((done) => {
                        const socket = net.connect(run.url.port, '127.0.0.1', () => socket.write(upgrade(host, own)));
                        socket.once('data', () => { socket.write(Buffer.from(bytes)); setTimeout(() => socket.destroy(), 15); });
                        socket.on('error', () => {});
                        socket.on('close', done);
                });
        // Documents that are none.
        const rude = watch(run.url);
        await once(rude.socket, 'open');
        for (const text of ['', '{', 'null', '[]', '"ask"', '{"kind":"ask"}', '{"kind":"ask","quantities":7}', '{"kind":"run","run":-1}',
                JSON.stringify({ kind: 'ask', quantities: ['hilrig_tick.duty[99]', 'v9.hilrig_tick.duty[0]', '..', 'hilrig_tick.', 'v', 7, null, 'x'.repeat(500)] }),
                JSON.stringify({ kind: 'ask', quantities: Array(150).fill('hilrig_tick.tick') }), '['.repeat(2000)]) rude.socket.send(text);
        await until('frames after nonsense', () => rude.heard.filter((d) => d.kind === 'frame').length > 20);
        check(rude.heard.at(-1).kind !== undefined && rude.socket.readyState === WebSocket.OPEN, 'nonsense ends the connection');
        rude.socket.send('x'.repeat(5000));
        await rude.ended;
        const binary = watch(run.url);
        await once(binary.socket, 'open');
        binary.socket.send(Buffer.from('{"kind":"ask","quantities":[]}'));
        await binary.ended;

        const good = watch(run.url);
        await until('a good one after all that', () => good.heard.some((d) => d.kind === 'frame'));
        // More than there is room for.
        const crowd = Array.from({ length: 70 }, () => watch(run.url));
        await until('a full house', () => crowd.filter((c) => c.heard.length > 0).length >= 60);
        check(crowd.filter((c) => c.heard.length > 0).length <= 64, 'more are let in than there is room for');
        crowd.forEach((c) => c.socket.terminate());
        await Promise.all(crowd.map((c) => c.ended));
        const late = await until('room again', async () => {
                const one = watch(run.url);
                await Promise.race([one.ended, once(one.socket, 'message')]);
                return one.heard.length > 0 && one;
        });
        late.socket.terminate();
        run.child.kill('SIGINT');
        await good.ended;
        check(good.heard.at(-1).kind === 'end' && good.heard.at(-1).verdict === 'void', 'an interrupted flight ends with ' + JSON.stringify(good.heard.at(-1)));
        await run.ended;
}

function longScenario() {
        const path = join(scratch, 'long.json');
        writeFileSync(path, '{ "name": "long", "duration_s": 86400, "steps": [] }');
        return path;
}

// Orders are taken only where they may be given; what is held and stepped has the same bits.
async function hands() {
        const run = await flyHeld('hands', '--set', 'log.wire=false');
        check(/^[0-9a-f]{32}$/.test(run.url.searchParams.get('token')), 'orders may be given without a token');
        const bare = watch(new URL(run.url.origin));
        await bare.ended;
        check(!bare.opened, 'the stream is open without the token');
        const page = await openPage(run.url);
        const last = () => seen(page, '(h) => { const f = h.store.frames.at(-1); return { tick: Math.round(f.time_s * 1000), number: f.number }; }');
        await until('the flight to be held', () => seen(page, '(h) => h.store.hands?.held'));
        // Slow enough that it is held while it flies.
        await page.select('#pace', '1');
        await page.click('#hold');
        await until('frames', () => seen(page, '(h) => h.store.frames.length > 2'));
        await page.click('#hold');
        await until('the flight to be held again', () => seen(page, '(h) => h.store.hands.held'));
        // The last frame of those that were under way is the one after which a step brings the next tick.
        let before = await last();
        await until('the last frame', async () => {
                const now = await last(), same = now.tick === before.tick;
                before = now;
                await asleep(100);
                return same && (await last()).tick === now.tick;
        });
        for (const [button, ticks] of [['#step1', 1], ['#step1', 1], ['#step100', 100], ['#step1', 1]]) {
                await page.click(button);
                await until(`${ticks} periods`, async () => (await last()).tick === before.tick + ticks);
                before.tick += ticks;
        }
        await page.click('#hold');
        await until('the flight to go on', async () => (await last()).tick > before.tick + 200);
        await page.select('#pace', '0');
        await until('the end', () => seen(page, '(h) => h.store.end !== null'));
        check((await landed(run)) === signal, 'hands have changed the signal');
        check(page.complaints.length === 0, `the browser complains: ${page.complaints.join('; ')}`);

        // Faults by hand are steps at their tick: replayed, and flown again from config.json, they give the same bits.
        const broken = await flyHeld('broken', '--set', 'log.truth_rate_hz=1000');
        await page.goto(broken.url.href);
        await until('the flight to be held', () => seen(page, '(h) => h.store.hands?.held'));
        const kinds = await page.$$eval('#fault_kind option', (all) => all.map((o) => o.value));
        for (const kind of kinds.filter((k) => !/dead/.test(k))) {
                await page.select('#fault_kind', kind);
                await page.evaluate(() => document.getElementById('breaking').requestSubmit());
                await page.click('#step100');
                await until(kind, () => seen(page, `(h) => h.store.events.filter((e) => e.event === 'begins').length === ${kinds.indexOf(kind) + 1}`));
        }
        // Some that would have gone on for an hour are lifted at once.
        for (const [fault, word] of [['{"sensor_fault":{"sensor":"gyro","does":"noise","amount_dps":20,"axes":"z"}}', 'noise'], ['{"wire_fault":{"does":"duplicate","direction":"to_fc"}}', 'doubles']]) {
                await page.evaluate((text) => { document.getElementById('fault').value = text; document.getElementById('fault_s').value = 3600; document.getElementById('breaking').requestSubmit(); }, fault);
                await page.click('#step100');
                await until('a button to lift it', async () => (await page.$$eval('#lifting button', (all) => all.map((b) => b.textContent))).some((t) => t.includes(word)));
                await page.evaluate((text) => [...document.querySelectorAll('#lifting button')].find((b) => b.textContent.includes(text)).click(), word);
                await page.click('#step1');
                await until('it to be over', () => seen(page, `(h) => h.store.events.some((e) => e.event === "over" && e.what.includes("${word}"))`));
        }
        await accessible(page, 'the page with hands', check);
        for (const wrong of ['{', '{}', '{"sensor_fault":{"sensor":"nose","does":"bias"}}', '{"vehicle_fault":{"does":"motor_dead","rotor":99}}', '{"end":true,"sensor_fault":{"sensor":"gps","does":"loss"}}', '{"mode":"arm"}', '[]']) {
                await page.evaluate((text) => { document.getElementById('hands_note').textContent = ''; document.getElementById('fault').value = text; document.getElementById('breaking').requestSubmit(); }, wrong);
                await until(`${wrong} to be refused`, () => page.$eval('#hands_note', (e) => e.textContent !== ''));
        }
        await page.click('#hold');
        await until('the end', () => seen(page, '(h) => h.store.end !== null'));
        await broken.ended;
        const began = (await seen(page, '(h) => h.store.events')).filter((e) => e.event === 'begins');
        const bits = JSON.parse(readFileSync(join(scratch, 'broken/summary.json'))).signal_sha256, config = JSON.parse(readFileSync(join(scratch, 'broken/config.json')));
        const steps = config.scenario.tracks.at(-1).steps;
        check(bits !== signal, 'faults change nothing');
        const over = (await seen(page, '(h) => h.store.events')).find((e) => e.event === 'over' && /noise/.test(e.what));
        const noise = steps.find((s) => s.sensor_fault?.does === 'noise');
        check(Math.round(1000 * over.time_s) === noise.at_tick + Math.round(1000 * noise.for_s), `lifted at ${over.time_s} s, in config.json after ${noise.for_s} s`);
        check(steps.length === kinds.length + 1, `${steps.length} faults are in config.json`);
        steps.forEach((step, i) => check(Math.round(began[i].time_s * 1000) === step.at_tick, `fault ${i} begins at ${began[i].time_s} s, in config.json at tick ${step.at_tick}`));
        const replayed = spawnSync(hilrig, ['replay', join(scratch, 'broken')], { encoding: 'utf8' });
        check(replayed.status === 0, `hilrig replay: ${replayed.stdout}${replayed.stderr}`);
        const again = spawnSync(hilrig, ['run', join(scratch, 'broken/config.json'), '--out', join(scratch, 'broken2')], { encoding: 'utf8' });
        check(again.stdout.includes(`signal ${bits}`), `flown again: ${again.stdout}${again.stderr}`);
        const asScenario = spawnSync(hilrig, ['run', rig, '--pace', 'lockstep', '--scenario', join(scratch, 'broken/scenario.json'), '--set', 'log.truth_rate_hz=1000', '--out', join(scratch, 'broken3')], { encoding: 'utf8' });
        check(asScenario.stdout.includes(`signal ${bits}`), `flown as a scenario: ${asScenario.stdout}${asScenario.stderr}`);
        // The wind that was put on is drawn where it blows to.
        const blown = await seen(page, '(h) => { const f = h.store.frames.find((x) => Math.hypot(...x.vehicles[0].wind) > 2); h.scene().show(f); return { wind: f.vehicles[0].wind, arrow: h.scene().objects(0).wind }; }');
        check(blown.arrow && blown.wind.reduce((sum, x, k) => sum + x * blown.arrow[k], 0) > 0.999 * Math.hypot(...blown.wind), `the wind is ${blown.wind}, its arrow ${blown.arrow}`);

        const ended = await fly('abort', '--live-control', '--set', 'log.wire=false', '--set', 'stop_after_s=86400', '--scenario', longScenario());
        await page.goto(ended.url.href);
        await until('frames', () => seen(page, '(h) => h.store.frames.length > 2'));
        await page.click('#abort');
        check((await page.$eval('#abort', (e) => e.textContent)).includes('again'), 'one click aborts');
        await page.click('#abort');
        const [status] = await ended.ended;
        const summary = JSON.parse(readFileSync(join(scratch, 'abort/summary.json')));
        check(status === 3 && summary.verdict === 'void' && /by hand/.test(summary.end_reason), `an aborted flight ends with ${status}, ${summary.end_reason}`);
        await page.close();

        // Who may give none gives them in vain: neither ends the flight, nor stops its time.
        const deaf = await fly('deaf', '--set', 'log.wire=false', '--set', 'stop_after_s=86400', '--scenario', longScenario());
        const rude = watch(deaf.url);
        await once(rude.socket, 'open');
        for (const what of ['abort', 'hold', 'step', 'pace', 'disarm']) rude.socket.send(JSON.stringify({ kind: 'do', what, value: 1 }));
        const then = rude.heard.length;
        await until('frames after orders', () => rude.heard.slice(then).filter((d) => d.kind === 'frame').length > 30);
        deaf.child.kill('SIGINT');
        await rude.ended;
        await deaf.ended;
        const end = rude.heard.at(-1);
        check(end.kind === 'end' && !/by hand/.test(end.reason) && rude.heard.every((d) => d.kind !== 'hands'), 'orders are taken though nobody may give any: ' + JSON.stringify(end));
}

// Sticks on the page, by mouse and keyboard: what they said is played again to the same bits.
async function sticks() {
        const byHand = join(root, 'rig_configs/rigs/by_hand.json'), source = 'vehicles.0.joystick.source=';
        const run = await serve(['run', byHand, '--out', join(scratch, 'sticks'), '--live-held', '--set', source + 'page']);
        const page = await openPage(run.url);
        await until('the sticks', () => page.$$eval('#sticks .stick', (all) => all.length === 2));
        const kept = () => readFileSync(join(scratch, 'sticks/joystick-quad_x_1kg.txt'), 'utf8');
        const passed = (s) => until(`${s} s of flight`, () => seen(page, `(h) => h.store.frames.length > 0 && h.store.frames.at(-1).time_s > ${s}`));
        const now = async () => (await seen(page, '(h) => h.store.frames.at(-1).time_s'));
        await page.select('#pace', '1');
        await page.click('#hold');
        await passed(0.2);
        await page.click('#sticks button');
        const [left, right] = await page.$$('#sticks .stick');
        await left.focus();
        for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowUp');
        const box = await right.boundingBox();
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width - 1, box.y + 1, { steps: 4 });
        const then = await now();
        await passed(then + 0.3);
        await page.mouse.up();
        await passed((await now()) + 0.3);
        await page.select('#pace', '0');
        await until('the end', () => seen(page, '(h) => h.store.end !== null'));
        await run.ended;
        const lines = kept().split('\n'), at = (input, value) => lines.findIndex((l) => l.endsWith(` ${input} ${value}`));
        check(at('BTN_TRIGGER', 1) > 0, 'the switch is not kept: ' + kept());
        check(lines.some((l) => /ABS_THROTTLE (1[0-9][0-9]|75)$/.test(l)), 'the throttle is not kept: ' + kept());
        check(lines.some((l) => / ABS_X 9\d\d$| ABS_X 1000$/.test(l)), 'the drag is not kept: ' + kept());
        check(lines.some((l) => / ABS_Y -9\d\d$| ABS_Y -1000$/.test(l)), 'up is not negative: ' + kept());
        check(lines.findLastIndex((l) => l.endsWith(' ABS_X 0')) > lines.findLastIndex((l) => / ABS_X [1-9]/.test(l)), 'the stick does not go back: ' + kept());
        // Nobody's until they are touched.
        const lost = lines.findIndex((l) => l.endsWith(' lost')), back = lines.findIndex((l) => l.endsWith(' back'));
        check(lost > 0 && back > lost && at('BTN_TRIGGER', 1) > back, 'sticks are held before they are touched: ' + kept());
        const bits = JSON.parse(readFileSync(join(scratch, 'sticks/summary.json'))).signal_sha256;
        const again = spawnSync(hilrig, ['run', byHand, '--out', join(scratch, 'sticks2'), '--set', `${source}played:${scratch}/sticks/joystick-quad_x_1kg.txt`], { encoding: 'utf8' });
        check(again.stdout.includes(`signal ${bits}`), `played again: ${again.stdout}${again.stderr}`);
        check(page.complaints.length === 0, `the browser complains: ${page.complaints.join('; ')}`);
        await page.close();
        // Nobody there: lost, from the first look on. Without hands it is refused.
        const empty = await serve(['run', byHand, '--out', join(scratch, 'sticks3'), '--live-control', '--seconds', '1', '--set', source + 'page']);
        await empty.ended;
        check(/^0\.0\d* lost$/m.test(readFileSync(join(scratch, 'sticks3/joystick-quad_x_1kg.txt'), 'utf8')), 'sticks of nobody are not lost');
        const refused = spawnSync(hilrig, ['run', byHand, '--set', source + 'page'], { encoding: 'utf8' });
        check(refused.status === 2 && /joystick.source.*--live-control/.test(refused.stderr), `sticks without a page: ${refused.status} ${refused.stderr}`);
}

// One page, five flights one after the other at the same port.
async function manyRuns() {
        let page, port = '127.0.0.1:0';
        for (let i = 0; i < 5; i++) {
                const run = await fly(`again${i}`, port, '--set', 'log.wire=false', '--set', 'stop_after_s=86400', '--scenario', longScenario(), '--seed', String(i + 1));
                port = run.url.host;
                page ??= await openPage(run.url);
                await until(`flight ${i} on the page`, () => seen(page, '(h) => h.store.connected && h.store.end === null && h.store.frames.length > 3'));
                run.child.kill('SIGINT');
                await until(`the end of flight ${i}`, () => seen(page, '(h) => h.store.end !== null'));
                await run.ended;
                const times = await seen(page, '(h) => h.store.frames.map((f) => f.time_s)');
                check(times.every((t, n) => n === 0 || t > times[n - 1]), `flight ${i} is mixed with the one before`);
                await until('the page to notice', () => seen(page, '(h) => !h.store.connected'));
        }
        check(page.complaints.length === 0, `the browser complains: ${page.complaints.join('; ')}`);
        await page.close();
}

// Beyond this machine only with the token: in a network of its own, where nobody is.
async function tokenInside() {
        const run = await fly('token', '192.0.2.1:0', '--set', 'stop_after_s=86400', '--scenario', longScenario());
        const token = run.url.searchParams.get('token'), host = run.url.host;
        const get = async (path) => (await answer(run.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).split(' ')[1];

        check(/^[0-9a-f]{32}$/.test(token), `the token is ${token}`);
        check((await get('/?token=' + token)) === '200', 'the token does not open the page');
        for (const wrong of ['/', '/?token=', '/?token=' + token.slice(1), '/?token=' + token + '0', '/?token=' + token.replace(/./g, '0'), '/?other=' + token])
                check((await get(wrong)) === '403', `${wrong} opens the page`);
        check((await answer(run.url, upgrade(host, `Origin: http://${host}\r\n`, '/stream?token=' + token))).includes('101'), 'the token does not open the stream');
        check(!(await answer(run.url, upgrade(host, `Origin: http://${host}\r\n`))).includes('101'), 'the stream is open without the token');
        run.child.kill('SIGINT');
        await run.ended;
}

function token() {
        const inside = 'ip link set lo up && ip addr add 192.0.2.1/32 dev lo && exec "$0" "$@"';
        const able = spawnSync('unshare', ['-rn', 'sh', '-c', 'ip link set lo up']).status === 0;
        if (!able && process.env.CI !== 'true') return 'no network namespace can be made: its token is not checked';
        const done = spawnSync('unshare', ['-rn', 'sh', '-c', inside, process.execPath, fileURLToPath(import.meta.url), 'token'], { encoding: 'utf8' });
        check(done.status === 0, `in a network of its own: ${done.stdout}${done.stderr}`);
        return '';
}

function findBrowser() {
        for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
                const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
                if (found) return found;
        }
        console.log('no chromium (Debian: chromium); scripts/deps.sh check test firmware installs it');
        process.exit(process.env.CI === 'true' ? 1 : 77);
}

try {
        if (process.argv[2] === 'token') await tokenInside();
        else {
                browser = await puppeteer.launch({ executablePath: findBrowser(), userDataDir: join(scratch, 'browser'),
                        args: ['--no-sandbox', '--disable-dev-shm-usage', '--no-first-run', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
                // Some need what those before them have flown.
                const parts = { inBrowser, recorded, film, fleets, manyViewers, strangers, hands, sticks, manyRuns }, alone = process.argv[2];
                for (const part of alone ? [alone] : Object.keys(parts)) await parts[part]();
                const note = token();
                if (note) console.log(note);
                await browser.close();
        }
        console.log(`${checks} checks`);
} catch (e) {
        console.log(e.stack);
        process.exitCode = 1;
} finally {
        await browser?.close().catch(() => {});
        for (const child of children) child.kill('SIGKILL');
        rmSync(scratch, { recursive: true, force: true });
}
process.exit();
