// Hands on a flight, from the live page: its time, faults, the end; and sticks.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accessible } from './pages/accessible.mjs';
import { fly, flyHeld, landed, longScenario, openPage, rig, seen, serve, signal, watch } from './pages/flights.mjs';
import { asleep, check, hilrig, quiet, root, scratch, trial, until } from './pages/trial.mjs';

// Little of a page that is not judged by its picture.
const small = { width: 700, height: 600 };

// Orders are taken only where they may be given; what is held and stepped has the same bits.
async function hands() {
        const run = await flyHeld('hands', '--set', 'log.wire=false');
        check(/^[0-9a-f]{32}$/.test(run.url.searchParams.get('token')), 'orders may be given without a token');
        const bare = watch(new URL(run.url.origin));
        await bare.ended;
        check(!bare.opened, 'the stream is open without the token');
        const page = await openPage(run.url, small);
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
        quiet(page, 'hands');

        await page.close();
}

// Faults by hand are steps at their tick: replayed, and flown again from config.json, they give the same bits.
async function broken() {
        const brief = join(scratch, 'brief.json'), truth = ['--set', 'log.truth_rate_hz=1000', '--scenario', brief];
        writeFileSync(brief, JSON.stringify({ name: 'brief', duration_s: 8, steps: [{ at_s: 0, mode: 'disarmed' }, { at_s: 2.1, mode: 'armed' }, { at_s: 2.5, mode: 'goto', up_m: 2 }] }));
        const flown = await flyHeld('broken', ...truth), page = await openPage(flown.url, small);
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
        await fits(page);
        for (const wrong of ['{', '{}', '{"sensor_fault":{"sensor":"nose","does":"bias"}}', '{"vehicle_fault":{"does":"motor_dead","rotor":99}}', '{"end":true,"sensor_fault":{"sensor":"gps","does":"loss"}}', '{"mode":"arm"}', '[]']) {
                await page.evaluate((text) => { document.getElementById('hands_note').textContent = ''; document.getElementById('fault').value = text; document.getElementById('breaking').requestSubmit(); }, wrong);
                await until(`${wrong} to be refused`, () => page.$eval('#hands_note', (e) => e.textContent !== ''));
        }
        await page.click('#hold');
        await until('the end', () => seen(page, '(h) => h.store.end !== null'));
        await flown.ended;
        const began = (await seen(page, '(h) => h.store.events')).filter((e) => e.event === 'begins');
        const bits = JSON.parse(readFileSync(join(scratch, 'broken/summary.json'))).signal_sha256, config = JSON.parse(readFileSync(join(scratch, 'broken/config.json')));
        const steps = config.scenario.tracks.at(-1).steps;
        const whole = spawnSync(hilrig, ['run', rig, '--pace', 'lockstep', ...truth, '--out', join(scratch, 'whole')], { encoding: 'utf8' });
        check(/^signal [0-9a-f]{64}/m.test(whole.stdout) && !whole.stdout.includes(`signal ${bits}`), `faults change nothing: ${whole.stdout}${whole.stderr}`);
        const over = (await seen(page, '(h) => h.store.events')).find((e) => e.event === 'over' && /noise/.test(e.what));
        const noise = steps.find((s) => s.sensor_fault?.does === 'noise');
        check(Math.round(1000 * over.time_s) === noise.at_tick + Math.round(1000 * noise.for_s), `lifted at ${over.time_s} s, in config.json after ${noise.for_s} s`);
        check(steps.length === kinds.length + 1, `${steps.length} faults are in config.json`);
        steps.forEach((step, i) => check(Math.round(began[i].time_s * 1000) === step.at_tick, `fault ${i} begins at ${began[i].time_s} s, in config.json at tick ${step.at_tick}`));
        // On the time line each begins where it did, in share of the scenario's 8 s.
        const bars = await page.$$eval('#track .bar', (all) => all.map((li) => [parseFloat(li.style.left), li.title]));
        check(bars.length === began.length, `of ${began.length} faults the time line has ${bars}`);
        for (const e of began) check(bars.some(([left, title]) => Math.abs(left - 100 * e.time_s / 8) < 0.01 && title.includes(e.what)), `${e.what} at ${e.time_s} s is not on the time line: ${bars}`);
        const replayed = spawnSync(hilrig, ['replay', join(scratch, 'broken')], { encoding: 'utf8' });
        check(replayed.status === 0, `hilrig replay: ${replayed.stdout}${replayed.stderr}`);
        const again = spawnSync(hilrig, ['run', join(scratch, 'broken/config.json'), '--out', join(scratch, 'broken2')], { encoding: 'utf8' });
        check(again.stdout.includes(`signal ${bits}`), `flown again: ${again.stdout}${again.stderr}`);
        const asScenario = spawnSync(hilrig, ['run', rig, '--pace', 'lockstep', '--set', 'log.truth_rate_hz=1000', '--scenario', join(scratch, 'broken/scenario.json'), '--out', join(scratch, 'broken3')], { encoding: 'utf8' });
        check(asScenario.stdout.includes(`signal ${bits}`), `flown as a scenario: ${asScenario.stdout}${asScenario.stderr}`);
        // The wind that was put on is drawn where it blows to.
        const blown = await seen(page, '(h) => { const f = h.store.frames.find((x) => Math.hypot(...x.vehicles[0].wind) > 2); h.scene().show(f); return { wind: f.vehicles[0].wind, arrow: h.scene().objects(0).wind }; }');
        check(blown.arrow && blown.wind.reduce((sum, x, k) => sum + x * blown.arrow[k], 0) > 0.999 * Math.hypot(...blown.wind), `the wind is ${blown.wind}, its arrow ${blown.arrow}`);
        quiet(page, 'broken');
        await page.close();
}

// On a telephone nothing sticks out; two sticks are for two thumbs.
async function fits(page) {
        await page.setViewport({ width: 390, height: 844 });
        const out = await page.$$eval('#hands button, #hands input, #hands select, #hands .stick', (all) => all.filter((e) => e.getBoundingClientRect().right > e.closest('section').getBoundingClientRect().right).map((e) => e.id || e.className || e.textContent));
        check(out.length === 0, `out of the page there are ${out}`);
        const sticks = await page.$$eval('#sticks .stick', (all) => all.map((e) => { const { top, width, height } = e.getBoundingClientRect(); return [top, width > 80 && Math.abs(width - height) < 2]; }));
        check(sticks.every(([top, square]) => square && top === sticks[0][0]), `the sticks are ${JSON.stringify(sticks)}`);
        await page.setViewport(small);
}

async function aborted() {
        const ended = await fly('abort', '--live-control', '--set', 'log.wire=false', '--set', 'stop_after_s=86400', '--scenario', longScenario());
        const page = await openPage(ended.url, small);
        await until('frames', () => seen(page, '(h) => h.store.frames.length > 2'));
        await page.click('#abort');
        check((await page.$eval('#abort', (e) => e.textContent)).includes('again'), 'one click aborts');
        await page.click('#abort');
        const [status] = await ended.ended;
        const summary = JSON.parse(readFileSync(join(scratch, 'abort/summary.json')));
        check(status === 3 && summary.verdict === 'void' && /by hand/.test(summary.end_reason), `an aborted flight ends with ${status}, ${summary.end_reason}`);
        await page.close();
}

// Who may give none gives them in vain: neither ends the flight, nor stops its time.
async function deaf() {
        const run = await fly('deaf', '--set', 'log.wire=false', '--set', 'stop_after_s=86400', '--scenario', longScenario());
        const rude = watch(run.url);
        await once(rude.socket, 'open');
        for (const what of ['abort', 'hold', 'step', 'pace', 'disarm']) rude.socket.send(JSON.stringify({ kind: 'do', what, value: 1 }));
        const then = rude.heard.length;
        await until('frames after orders', () => rude.heard.slice(then).filter((d) => d.kind === 'frame').length > 30);
        run.child.kill('SIGINT');
        await rude.ended;
        await run.ended;
        const end = rude.heard.at(-1);
        check(end.kind === 'end' && !/by hand/.test(end.reason) && rude.heard.every((d) => d.kind !== 'hands'), 'orders are taken though nobody may give any: ' + JSON.stringify(end));
}

// Sticks on the page, by mouse and keyboard: what they said is played again to the same bits.
async function sticks() {
        const byHand = join(root, 'rig_configs/rigs/by_hand.json'), source = 'vehicles.0.joystick.source=';
        const run = await serve(['run', byHand, '--out', join(scratch, 'sticks'), '--live-held', '--set', source + 'page']);
        const page = await openPage(run.url, small);
        await until('the sticks', () => page.$$eval('#sticks .stick', (all) => all.length === 2));
        await fits(page);
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
        quiet(page, 'sticks');
        await page.close();
        // Nobody there: lost, from the first look on. Without hands it is refused.
        const empty = await serve(['run', byHand, '--out', join(scratch, 'sticks3'), '--live-control', '--seconds', '1', '--set', source + 'page']);
        await empty.ended;
        check(/^0\.0\d* lost$/m.test(readFileSync(join(scratch, 'sticks3/joystick-quad_x_1kg.txt'), 'utf8')), 'sticks of nobody are not lost');
        const refused = spawnSync(hilrig, ['run', byHand, '--set', source + 'page'], { encoding: 'utf8' });
        check(refused.status === 2 && /joystick.source.*--live-control/.test(refused.stderr), `sticks without a page: ${refused.status} ${refused.stderr}`);
}

await trial({ hands, broken, aborted, deaf, sticks });
