// The live page in headless Chromium, of a flight and of recorded runs: what it shows is compared with run.ulg as Foxglove's reader has it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessible } from './pages/accessible.mjs';
import { fly, flyHeld, landed, openPage, readLog, seen, serve, signal } from './pages/flights.mjs';
import { check, hilrig, quiet, root, scratch, trial, until } from './pages/trial.mjs';

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
        await distribution(page);
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
        quiet(page, 'inBrowser');
        await page.close();
}

// Below its curve a requirement is drawn as it was judged: in its window, within its bounds, in its colour.
async function bands(page, summary) {
        const asked = JSON.parse(readFileSync(join(scratch, 'seen/config.json'))).scenario.requirements, holds = asked.find((r) => r.name === 'holds its height');
        await page.select('#window', '0');
        await page.$eval('#curves', (e) => e.scrollIntoView());
        await until('the curve of all of the flight', () => seen(page, '(h) => { const { graph } = h.curves.drawn("Up"), [from, to] = graph ? graph.xAxisRange() : [1, 0]; return from === 0 && to === h.store.end_s(); }'));
        const drawn = await seen(page, `(h) => { const { graph, bands } = h.curves.drawn('Up'), canvas = graph.canvas_, ink = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
                [ink.canvas.width, ink.canvas.height] = [canvas.width, canvas.height];
                const below = graph.hidden_; ink.drawImage(below, 0, 0);
                const dense = below.width / below.clientWidth, at = (t, v) => [...ink.getImageData(graph.toDomXCoord(t) * dense, graph.toDomYCoord(v) * dense, 1, 1).data];
                return { ground: h.store.scene.ground_down_m, bands: bands.map((b) => ({ name: b.name, min: b.min, max: b.max, from_s: b.from_s, to_s: b.to_s, tone: b.tone })), within: at(20.3, 4.55), below: at(20.3, 2.55), before: at(2.2, 4.55) }; }`);
        const band = drawn.bands.find((b) => b.name === holds.name), outcome = summary.requirements.find((r) => r.name === holds.name).outcome;
        check(band?.tone === outcome && Math.abs(band.min + drawn.ground - holds.min) < 1e-9 && Math.abs(band.max + drawn.ground - holds.max) < 1e-9 && band.from_s === holds.from_s, `${JSON.stringify(band)} is drawn of ${JSON.stringify(holds)}, ${outcome}`);
        check(drawn.within[3] > 0 && drawn.within[1] > drawn.within[0] && drawn.below[3] === 0 && drawn.before[3] === 0, `in the band it is ${drawn.within}, below ${drawn.below}, before ${drawn.before}`);
}

// The axes of the time from sensor to motor have units, and at no width do words lie on each other.
async function distribution(page) {
        for (const width of [390, 2560, 1280]) {
                await page.setViewport({ width, height: 900 });
                const room = await page.$eval('#latency_plot', (e) => Math.max(320, Math.min(720, e.clientWidth)));
                await until('the distribution', () => page.$eval('#latency_plot svg', (e, wide) => e.viewBox.baseVal.width === wide, room));
                const words = await page.$$eval('#latency_plot text', (all) => all.map((e) => { const { left, right, top, bottom } = e.getBoundingClientRect(); return { text: e.textContent, left, right, top, bottom }; }));
                const times = words.filter((w) => /^\d+ (ns|µs|ms|s)$/.test(w.text)), counts = words.filter((w) => /^\d+$/.test(w.text));
                check(times.length >= 3 && counts.length >= 3, `${width}: the axes say ${words.map((w) => w.text)}`);
                const over = words.flatMap((a, i) => words.slice(i + 1).filter((b) => a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom).map((b) => `${a.text} on ${b.text}`));
                check(over.length === 0, `${width}: in the distribution ${over}`);
                check(words.every((w) => w.bottom - w.top > 9), `${width}: words in the distribution are ${words.map((w) => w.bottom - w.top)} px high`);
        }
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
        const now = () => page.$eval('#time_now', (e) => parseFloat(e.textContent)), began = await now();
        await until('it to play', async () => (await now()) > began);
        await page.$eval('#time', (e, t) => { e.value = t; e.dispatchEvent(new Event('input')); }, summary.sim_time_s - 4);
        await until('the slider to be followed', async () => Math.abs((await now()) - summary.sim_time_s + 4) < 0.1);
        // Of the events those after the moment that is shown are marked.
        const later = () => page.$$eval('#events tbody tr', (all) => all.map((tr) => [parseFloat(tr.cells[0].textContent), tr.classList.contains('later')]));
        await until('those to be marked that are to come, and no others', async () => (await later()).some((e) => e[1]) && (await later()).every(([t, is]) => is === t > summary.sim_time_s - 4));
        await page.click('#play');
        await page.select('#speed', '5');
        await until('the end of the film', async () => (await now()) >= summary.sim_time_s - 0.05);
        await until('all to have come', async () => (await later()).every((e) => !e[1]));
        await until('it to stop', () => page.$eval('#play', (e) => e.textContent === 'Play'));
        await page.select('#run', '1');
        await until('the second run', () => seen(page, '(h) => h.store.run === 1 && h.store.end !== null && h.store.frames.length > 100'));
        await whole();
        compare(await seen(page, '(h) => h.store.frames'), await readLog(join(scratch, 'other')), 'the second recorded');
        // Who wants less motion starts it by hand.
        await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
        await page.reload();
        await until('the run once more', () => seen(page, '(h) => h.store.end !== null'));
        check((await page.$eval('#play', (e) => e.textContent)) === 'Play' && (await page.$eval('#time', (e) => e.value)) === '0', 'it plays by itself for who wants less motion');
        quiet(page, 'recorded');
        await page.close();
        run.child.kill('SIGTERM');
        const [status] = await run.ended;
        check(status === 0, `hilrig view ends with ${status}`);
        for (const folder of [scratch, join(scratch, 'none'), join(root, 'docs')]) {
                const refused = spawnSync(hilrig, ['view', folder], { encoding: 'utf8' });
                check(refused.status === 2 && refused.stderr.includes(folder), `${folder}: ${refused.status} ${refused.stderr}`);
        }
}

await trial({ inBrowser, recorded });
