// A report in headless Chromium with WebGL, by puppeteer-core: where the objects of its scene are at any time of the cursor is compared
// with run.ulg as Foxglove's reader has it. One cursor, one play button; keys; a browser without WebGL; bytes.
// Not under sanitizers: it judges scripts in a browser, which were not compiled.
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ULog } from '@foxglove/ulog';
import { accessible } from './pages/accessible.mjs';
import { asleep, check, hilrig, launch, quiet, root, scratch, trial, until, watchedPage } from './pages/trial.mjs';

const { FileReader } = createRequire(import.meta.url)('@foxglove/ulog/node');

// One that is ended before its scenario is void, which does not matter here.
function fly(name, rig, ...more) {
        const folder = join(scratch, name);
        const flown = spawnSync(hilrig, ['run', rig, '--pace', 'lockstep', '--out', folder, '--set', 'log.wire=false', '--set', 'vehicles.*.fc.link=inside', ...more], { cwd: root, encoding: 'utf8' });
        check([0, 1, 3].includes(flown.status), `hilrig run: ${flown.status} ${flown.stderr}`);
        const told = spawnSync(hilrig, ['report', folder], { encoding: 'utf8' });
        check(told.status === 0, `hilrig report: ${told.status} ${told.stderr}`);
        return folder;
}

// Records of one topic, a list for each vehicle or sonar.
async function readLog(folder) {
        const file = new FileReader(join(folder, 'run.ulg')), log = new ULog(file), topics = {};
        await log.open();
        for await (const m of log.readMessages()) {
                const from = m.value?.timestamp !== undefined && log.subscriptions.get(m.msgId);
                if (from) ((topics[from.name] ??= [])[from.multiId] ??= []).push(m.value);
        }
        await file.close?.();
        return topics;
}

const microseconds = (row) => Number(row.timestamp_sample ?? row.timestamp);
const apart = (a, b) => Math.hypot(...a.map((x, k) => x - b[k]));
const turned = (a, b) => 2 * Math.acos(Math.min(1, Math.abs(a.reduce((sum, x, k) => sum + x * b[k], 0)))) * 180 / Math.PI;
const place = (row) => [row.x, row.y, row.z];

// The newest that is not later, the next one, and how far from the first to the second it is.
function around(rows, t_us) {
        let low = 0, high = rows.length;
        while (low < high) {
                const mid = (low + high) >> 1;
                if (microseconds(rows[mid]) <= t_us) low = mid + 1;
                else high = mid;
        }
        const [from, to] = [rows[low - 1], rows[low]];
        return [from, to, from && to ? (t_us - microseconds(from)) / (microseconds(to) - microseconds(from)) : 0];
}

function placeAt(rows, t_us) {
        const [from, to, share] = around(rows, t_us);
        return from && (to ? place(from).map((x, k) => x + share * (place(to)[k] - x)) : place(from));
}

// Every picture of the scene is drawn in software, and costs by its pixels: a small window where they do not matter.
async function openPage(folder, size = { width: 480, height: 360 }, scheme = 'light') {
        const page = await watchedPage(size, /points out of [XY] bounds/, (to) => /^(file|blob):$/.test(to.protocol));
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
        await page.goto('file://' + join(folder, 'report.html'));
        await until('the page', () => page.$eval('html', (e) => e.dataset.ready === 'true'));
        return page;
}

// What is drawn of a vehicle when the cursor stands there.
const objectsAt = (page, t_s, vehicle = 0) => page.evaluate(`page.view.map.setTime(${t_s}), page.view.space.objects(${vehicle})`);

// A flight of which no record was thinned out: what is drawn is on the line from one record to the next.
async function exact() {
        const folder = fly('exact', join(root, 'rig_configs/default.json'), '--seconds', '12', '--set', 'log.truth_rate_hz=50');
        const log = await readLog(folder), page = await openPage(folder);
        const truth = log.vehicle_local_position_groundtruth[0], lies = log.vehicle_attitude_groundtruth[0], start = place(truth[0]);
        const thinned = await page.evaluate('Object.entries(page.data.flight.vehicles[0].tables).filter(([name, t]) => /position|attitude|setpoint/.test(name) && (t.time || t.t).length < t.n).map(([name]) => name)');
        let moved = 0, ghosts = 0, aims = 0, fixes = 0, first = null;

        check(thinned.length === 0, `${thinned} are thinned`);
        for (let i = 0; i < 100; i++) {
                const t_us = Math.round(1e6 * (0.1 + 11.8 * Math.random())), at = `at ${t_us} us`, seen = await objectsAt(page, t_us / 1e6);
                const [lie] = around(lies, t_us), [asked] = around(log.hilrig_setpoint[0], t_us);
                check(apart(seen.craft.p, placeAt(truth, t_us)) < 1e-4, `${at} the vehicle is drawn at ${seen.craft.p}, in the log it is at ${placeAt(truth, t_us)}`);
                check(turned(seen.craft.q, [...lie.q]) < 2, `${at} the vehicle is drawn as ${seen.craft.q}, in the log it is ${[...lie.q]}`);
                moved += apart(seen.craft.p, start) > 1;
                const believed = placeAt(log.vehicle_local_position[0], t_us);
                if (seen.ghost) {
                        ghosts++;
                        check(apart(seen.ghost.p, believed.map((x, k) => x + start[k])) < 1e-3, `${at} the ghost is drawn at ${seen.ghost.p}, the log says ${believed} from ${start}`);
                }
                const [fix] = around(log.vehicle_gps_position[0], t_us);
                if (seen.fix) {
                        fixes++;
                        check(fix.fix_type >= 2 && Math.abs(seen.fix.size[0] - fix.eph) < 1e-3 * fix.eph && Math.abs(seen.fix.size[2] - fix.epv) < 1e-3 * fix.epv, `${at} the fix is drawn as ${seen.fix.size}, the log says ${fix.eph}, ${fix.epv}`);
                        // From the receiver's own degrees, on a sphere of the origin's radius about the origin: near enough over some metres.
                        const up = fix.altitude_ellipsoid_m - log.vehicle_gps_position[0][0].altitude_ellipsoid_m;
                        first ??= { fix, up, p: seen.fix.p };
                        const north = (fix.latitude_deg - first.fix.latitude_deg) * 111320, east = (fix.longitude_deg - first.fix.longitude_deg) * 111320 * Math.cos(fix.latitude_deg * Math.PI / 180);
                        check(apart(seen.fix.p, [first.p[0] + north, first.p[1] + east, first.p[2] - (up - first.up)]) < 0.1, `${at} the fix is drawn at ${seen.fix.p}, ${north}, ${east} m from the first at ${first.p}`);
                }
                check(Boolean(seen.aim) === (asked.mode === 2), `${at} a set-point is ${seen.aim ? '' : 'not '}drawn, the mode is ${asked.mode}`);
                if (!seen.aim) continue;
                aims++;
                check(apart(seen.aim.p, [...asked.pos_ned_m].map((x, k) => x + start[k])) < 1e-4, `${at} the set-point is drawn at ${seen.aim.p}, in the log it is ${[...asked.pos_ned_m]} from ${start}`);
        }
        check(moved > 20 && ghosts > 20 && aims > 20 && fixes > 20, `of 100 times ${moved} were in flight, ${ghosts} had an estimate, ${aims} a set-point, ${fixes} a fix`);
        quiet(page, 'exact');
        await page.close();
}

// Past walls, with sonars, and a log of every period, which is thinned: no further off than the vehicle flies in the time between two
// records that are left; the ranges are those of records.
async function thinned() {
        const folder = fly('walls', join(root, 'rig_configs/rigs/hallways.json'), '--seconds', '20', '--set', 'log.truth_rate_hz=1000');
        const log = await readLog(folder), page = await openPage(folder), truth = log.vehicle_local_position_groundtruth[0];
        let echoes = 0, silent = 0;

        for (let i = 0; i < 60; i++) {
                const t_us = Math.round(1e6 * (0.2 + 19.6 * Math.random())), at = `at ${t_us} us`, seen = await objectsAt(page, t_us / 1e6), [row] = around(truth, t_us);
                check(apart(seen.craft.p, place(row)) < 2e-3 + 0.02 * Math.hypot(row.vx, row.vy, row.vz), `${at} the vehicle is drawn at ${seen.craft.p}, in the log it is at ${place(row)}`);
                seen.sonars.forEach((s, n) => {
                        const near = log.distance_sensor[n].filter((r) => microseconds(r) <= t_us && microseconds(r) > t_us - 250000);
                        if (!s) {
                                check(near.length === 0 || near.some((r) => r.signal_quality === 0), `${at} sonar ${n} is not drawn, but hears something`);
                                silent++;
                                return;
                        }
                        const length = apart(s.hit, s.p);
                        check(near.some((r) => r.signal_quality > 0 && Math.abs(r.current_distance - length) < 1e-3), `${at} sonar ${n} is drawn ${length} m long, in the log it is ${near.map((r) => r.current_distance)}`);
                        echoes++;
                });
        }
        check(echoes > 20 && silent > 50, `${echoes} echoes were drawn, and ${silent} times none`);
        const walls = await page.evaluate('page.data.scene.obstacles.length'), world = JSON.parse(readFileSync(join(folder, 'config.json'))).world;
        check(walls >= world.obstacles.length && walls > 3, `${walls} solids for ${world.obstacles.length} obstacles`);
        quiet(page, 'walls');
        await page.close();
}

const shownTime = (page) => page.$eval('#place', (e) => parseFloat(e.textContent));
// How many pixels of the scene are not those of its paper.
const inked = (page) => page.evaluate(() => {
        const canvas = document.querySelector('#scene canvas'), ink = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        [ink.canvas.width, ink.canvas.height] = [canvas.width, canvas.height];
        ink.drawImage(canvas, 0, 0);
        const p = ink.getImageData(0, 0, canvas.width, canvas.height).data, hash = [];
        let other = 0;
        for (let i = 0; i < p.length; i += 4) if (Math.abs(p[i] - p[0]) + Math.abs(p[i + 1] - p[1]) + Math.abs(p[i + 2] - p[2]) > 60) { other++; hash.push(i); }
        return { other, whole: p.length / 4, where: hash.reduce((sum, x) => (sum * 31 + x) | 0, 7) };
});

// One cursor and one play button for curves, view from above and space; the keyboard; screens; light and dark.
async function used() {
        const folder = join(scratch, 'exact');
        for (const [width, height, scheme] of [[390, 844, 'light'], [1280, 900, 'dark'], [2560, 1300, 'light']]) {
                const what = `${width}x${height}, ${scheme}`, page = await openPage(folder, { width, height }, scheme);
                await page.$eval('#scene', (e) => e.scrollIntoView({ block: 'center' }));
                await page.evaluate('page.view.map.setTime(9)');
                await asleep(300);
                const seen = await inked(page);
                check(seen.other > 200 && seen.other < 0.6 * seen.whole, `${what}: ${seen.other} of ${seen.whole} pixels of the scene show something`);
                check((await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, `${what}: wider than the screen`);
                for (const camera of ['orbit', 'top', 'follow']) {
                        const before = (await inked(page)).where;
                        await page.click(`[data-camera="${camera}"]`);
                        check((await inked(page)).where !== before, `${what}: ${camera} shows the same`);
                        check((await page.$$eval('[data-camera][aria-pressed="true"]', (all) => all.map((b) => b.dataset.camera).join())) === camera, `${what}: another camera than ${camera} is marked`);
                }
                await page.focus('#scene');
                for (const key of ['ArrowLeft', 'ArrowUp', '+', '2', '1']) {
                        const before = (await inked(page)).where;
                        await page.keyboard.press(key);
                        check((await inked(page)).where !== before, `${what}: the key ${key} shows the same`);
                }
                await page.keyboard.press(' ');
                await until('it to play', async () => (await shownTime(page)) > 9.5);
                await page.keyboard.press(' ');
                check((await page.$eval('#play', (e) => e.textContent)) === 'Play', `${what}: space does not pause`);
                // Pointing at a curve moves the vehicle.
                const before = await page.evaluate('page.view.space.objects(0).craft.p');
                await page.evaluate(() => { const box = document.querySelector('.plot .canvas'), at = box.getBoundingClientRect(); box.dispatchEvent(new PointerEvent('pointermove', { clientX: at.left + 0.3 * at.width, clientY: at.top + 30, bubbles: true })); });
                check(apart(before, await page.evaluate('page.view.space.objects(0).craft.p')) > 0.05, `${what}: pointing at a curve does not move the vehicle`);
                await page.click('#theme');
                if (width === 1280) await accessible(page, 'a report', check);
                quiet(page, what);
                await page.close();
        }
}

// Into a wall: where and when it was hit and touched, rotors that turn the way they do, the air as it moves.
async function hits() {
        const scenario = join(scratch, 'wall.json'), world = join(scratch, 'walled.json');
        writeFileSync(scenario, JSON.stringify({ name: 'wall', duration_s: 16, steps: [{ at_s: 0, mode: 'disarmed' }, { at_s: 2, mode: 'armed' }, { at_s: 3, mode: 'goto', up_m: 2 }, { at_s: 7, mode: 'goto', up_m: 2, north_m: 6 }] }));
        writeFileSync(world, JSON.stringify({ ...JSON.parse(readFileSync(join(root, 'rig_configs/worlds/flat.json'))), $schema: undefined, wind_mps: { east: 0.5 }, obstacles: [{ name: 'wall', shape: 'box', at_m: { north: 2 }, size_m: [0.3, 6, 3] }] }));
        const folder = fly('wall', join(root, 'rig_configs/default.json'), '--scenario', scenario, '--set', `world=${world}`, '--set', 'log.truth_rate_hz=50'), log = await readLog(folder), page = await openPage(folder);
        const ways = await page.evaluate('page.data.scene.vehicles[0].rotors.map((r) => r.direction)');
        const struck = log.hilrig_event[0].filter((e) => e.kind === 0), tick = log.hilrig_tick[0], truth = log.vehicle_local_position_groundtruth[0], drawn = (await objectsAt(page, 10)).marks;
        let touching = 0, before = null;

        check(struck.length > 0 && drawn.length === struck.length, `${struck.length} collisions are in the log, ${drawn.length} are drawn`);
        drawn.forEach((m, k) => check(Math.abs(1e6 * m.time_s - microseconds(struck[k])) < 1 && apart(m.p, placeAt(truth, 1e6 * m.time_s)) < 0.05, `collision ${k} is drawn at ${m.time_s} s, ${m.p}, in the log at ${microseconds(struck[k])} us, ${placeAt(truth, 1e6 * m.time_s)}`));
        for (let t = 0.5; t < 15.5; t += 0.1) {
                const seen = await objectsAt(page, t), [speeds] = around(log.hilrig_rotors[0], Math.round(1e6 * t));
                // Of a time in which it begins or ends to touch records are thinned.
                const near = new Set(tick.filter((r) => Math.abs(microseconds(r) - 1e6 * t) < 30000).map((r) => Number(r.contact)));
                if (near.size === 1) check(near.has(Number(seen.contact)), `at ${t} s it is drawn ${seen.contact ? '' : 'not '}touching, the log says ${[...near]}`);
                touching += seen.contact;
                if (before) seen.hubs.forEach((angle, k) => check(speeds.speed_radps[k] < 20 || (angle - before[k]) * ways[k] > 0, `at ${t} s rotor ${k} turns from ${before[k]} to ${angle}`));
                before = seen.hubs;
                check(seen.wind && seen.wind[1] > 0.99, `at ${t} s the wind's arrow is ${seen.wind}`);
        }
        check(touching > 5 && touching < 145, `at ${touching} of 150 times it touches something`);
        quiet(page, 'hits');
        await page.close();
}

// What the curves are drawn of are records of the log; the headline; bands; axes; the order of the parts; the width there is.
async function curves() {
        const scenario = join(scratch, 'failing.json');
        writeFileSync(scenario, JSON.stringify({ name: 'failing', duration_s: 14, steps: [{ at_s: 0, mode: 'disarmed' }, { at_s: 2, mode: 'armed' }, { at_s: 3, mode: 'goto', up_m: 3 }, { at_s: 8, mode: 'goto', up_m: 3, north_m: 3 }],
                requirements: [{ name: 'goes north', kind: 'eventually', signal: 'north_m', min: 5, from_s: 8, to_s: 13 }, { name: 'stays low', kind: 'always', signal: 'altitude_m', max: 2.2, from_s: 4, to_s: 12 },
                        { name: 'keeps low', formula: 'always[4, 12] abs(altitude_m - 1) < 4' }, { name: 'climbs well', metric: 'maximum', signal: 'climb_mps', from_s: 3, to_s: 7, min: 0.5 }] }));
        const folder = fly('failing', join(root, 'rig_configs/default.json'), '--scenario', scenario), log = await readLog(folder), page = await openPage(folder, { width: 2560, height: 1300 });
        const summary = JSON.parse(readFileSync(join(folder, 'summary.json'))), low = summary.requirements.find((r) => r.name === 'stays low');

        // Broken long before the window of the other one that fails ends.
        check((await page.$eval('h1 .first', (e) => e.textContent)) === `stays low, at ${low.detail.match(/broken at ([\d.]+) s/)[1]} s`, `the headline says ${await page.$eval('h1', (e) => e.textContent)}`);
        check((await page.$eval('.requirements tbody th', (e) => e.firstChild.textContent)) === 'stays low', 'what failed first does not stand first');

        const tables = await page.evaluate('Object.fromEntries(["duty", "tick", "rotors"].map((name) => { const t = page.view.table(0, name); return [name, { time: [...t.time], value: t.value.map((c) => [...c]) }]; }))');
        const rows = (topic) => new Map(log[topic][0].map((r) => [Number(r.timestamp), r])), tick = rows('hilrig_tick'), rotor = rows('hilrig_rotors');
        const drawn = { duty: (r) => [...r.duty].slice(0, 4), tick: (r) => [r.lateness_ns / 1e3, r.missed ? NaN : r.compute_ns / 1e3, r.loop_ns > 0 ? r.loop_ns / 1e3 : NaN, Number(r.contact)], rotors: (r) => [...r.speed_radps].slice(0, 4) };
        for (const [name, read] of Object.entries(drawn)) {
                const { time, value } = tables[name];
                check(time.length > 1000, `${name} has ${time.length} records`);
                time.forEach((t, k) => {
                        const row = (name === 'rotors' ? rotor : tick).get(Math.round(t * 1e6)), wanted = row && read(row);
                        check(wanted && wanted.every((x, c) => (Number.isFinite(x) ? Math.abs(value[c][k] - x) <= 1e-5 * Math.max(1, Math.abs(x)) : value[c][k] === null || Number.isNaN(value[c][k]))), `${name} at ${t} s is drawn as ${value.map((c) => c[k])}, in the log it is ${wanted}`);
                });
        }
        // An axis of what is never below zero has no label below it.
        const below = await page.evaluate('page.view.desk.plots.filter((p) => p.bands.length === 0 && Math.min(...p.rows.flatMap((r) => r.slice(1)).filter(Number.isFinite)) >= 0).map((p) => [p.name, [...p.box.querySelectorAll(".dygraph-axis-label-y")].filter((e) => /^-/.test(e.textContent)).length])');
        check(below.length > 5, `only ${below} are never below zero`);
        for (const [name, count] of below) check(count === 0, `${name} has ${count} labels below zero`);
        const labels = await page.evaluate(() => [...document.querySelectorAll('figure.plot')].map((f) => {
                const numbers = (axis) => [...f.querySelectorAll(`.dygraph-axis-label-${axis}`)].filter((e) => e.textContent.trim() !== '' && Number.isFinite(+e.textContent)).length;
                return { name: f.querySelector('.name').textContent, x: numbers('x'), y: numbers('y'), unit: f.querySelector('.unit')?.textContent };
        }));
        for (const l of labels) check(l.x >= 3 && l.y >= 3 && l.unit === 's' && /, ./.test(l.name), `${l.name}: ${l.x} labels of time in ${l.unit}, ${l.y} of values`);

        // In the band is the tint of what failed, beyond it is not.
        const tinted = await page.evaluate(() => {
                const plot = page.view.desk.plots.find((p) => p.name === 'Up'), canvas = plot.box.querySelector('canvas'), c = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
                [c.canvas.width, c.canvas.height] = [canvas.width, canvas.height];
                c.drawImage(canvas, 0, 0);
                // The faintest of some: no line of the grid.
                const at = (t, v) => {
                        const p = c.getImageData(Math.round(plot.graph.toDomXCoord(t)) - 3, Math.round(plot.graph.toDomYCoord(v)) - 3, 7, 7).data, all = [];
                        for (let i = 0; i < p.length; i += 4) all.push([...p.slice(i, i + 4)]);
                        return all.sort((a, b) => a[3] - b[3])[0];
                };
                return { within: at(10.4, 1.37), above: at(10.4, 2.77), late: at(13, 1.37), bands: plot.bands.map((b) => [b.name, b.min, b.max, b.from_s, b.to_s]), climb: page.view.desk.plots.find((p) => p.unit === 'm/s' && p.name === 'Up').bands.map((b) => [b.name, b.bounded]) };
        });
        const ground = await page.evaluate('page.data.scene.ground_down_m');
        check(JSON.stringify(tinted.bands) === JSON.stringify([['stays low', null, 2.2 - ground, 4, 12], ['keeps low', -3 - ground, 5 - ground, 4, 12]]), `the bands are ${JSON.stringify(tinted.bands)}`);
        // Both bands, the upper one alone, none.
        const redder = (p) => (p[0] - p[1]) * p[3] / 255;
        check(redder(tinted.within) > redder(tinted.above) + 3 && tinted.within[3] > tinted.above[3] && tinted.above[3] > tinted.late[3], `within the band it is ${tinted.within}, after it ${tinted.late}, above ${tinted.above}`);
        check(JSON.stringify(tinted.climb) === '[["climbs well",false]]', `of a metric ${JSON.stringify(tinted.climb)} is drawn`);

        const parts = await page.$$eval('main > section', (all) => all.map((e) => e.id));
        check(parts.indexOf('flight') > 0 && parts.indexOf('flight') < parts.indexOf('metrics'), `the parts are ${parts}`);
        const columns = await page.$$eval('.group:first-child figure.plot', (all) => new Set(all.map((e) => Math.round(e.getBoundingClientRect().left))).size);
        check(columns >= 3, `at 2560 px ${columns} plots stand side by side`);
        const wide = await page.$eval('#plots', (e) => e.clientWidth);
        check(wide > 2300, `of 2560 px the plots use ${wide}`);
        quiet(page, 'curves');
        await page.close();
}

// Of several vehicles each is drawn, and the one that is chosen is followed; what they hit is marked.
async function fleet() {
        const folder = fly('fleet', join(root, 'rig_configs/rigs/flock_8.json'), '--seconds', '8'), log = await readLog(folder), page = await openPage(folder);
        for (let i = 0; i < 8; i++) {
                const seen = await objectsAt(page, 6, i), truth = log.vehicle_local_position_groundtruth[i];
                check(apart(seen.craft.p, placeAt(truth, 6e6)) < 0.05, `vehicle ${i} is drawn at ${seen.craft.p}, in the log it is at ${placeAt(truth, 6e6)}`);
        }
        await page.select('#vehicle', '5');
        await page.evaluate('page.view.space.objects(5)');
        check((await page.$eval('#scene .name.chosen', (e) => e.textContent)) === (await page.$eval('#vehicle', (e) => e.selectedOptions[0].textContent)), 'another vehicle is followed');
        quiet(page, 'fleet');
        await page.close();
}

// A comparison shows both flights of its first pair in one scene, where each is in its log.
async function pair() {
        const scenario = join(scratch, 'short.json');
        writeFileSync(scenario, JSON.stringify({ name: 'flight', duration_s: 8, steps: [{ at_s: 0, mode: 'disarmed' }, { at_s: 1, mode: 'armed' }, { at_s: 2, mode: 'goto', up_m: 2, north_m: 2 }],
                requirements: [{ name: 'stays upright', kind: 'always', signal: 'tilt_deg', max: 60 }] }));
        const both = [1, 2].map((gain, k) => fly(`${'ab'[k]}/rig/flight/1-1`, join(root, 'rig_configs/default.json'), '--scenario', scenario, '--set', `vehicles.0.fc.reference.planted.gain_ratio=${gain}`));
        const compared = spawnSync(hilrig, ['compare', join(scratch, 'a'), join(scratch, 'b'), '--html', join(scratch, 'report.html')], { encoding: 'utf8' });
        const page = await openPage(scratch), logs = await Promise.all(both.map(readLog));
        let apart_m = 0;

        check(compared.status !== 2, `hilrig compare: ${compared.status} ${compared.stderr}`);
        for (let i = 0; i < 30; i++) {
                const t_us = Math.round(1e6 * (0.1 + 7.8 * Math.random())), seen = await page.evaluate(`page.view.pair.setTime(${t_us / 1e6}), [0, 1].map((i) => page.view.pair.objects(i))`);
                seen.forEach((s, k) => {
                        const wanted = placeAt(logs[k].vehicle_local_position_groundtruth[0], t_us);
                        check(apart(s.craft.p, wanted) < 0.02, `at ${t_us} us side ${k} is drawn at ${s.craft.p}, in the log it is at ${wanted}`);
                });
                apart_m = Math.max(apart_m, apart(seen[0].craft.p, seen[1].craft.p));
        }
        check(apart_m > 0.02, `both are drawn at the same place, ${apart_m} m apart`);
        await page.$eval('#time', (e) => { e.value = 4; e.dispatchEvent(new Event('input')); });
        check((await page.$eval('#window', (e) => e.textContent)) === 'at 4.000 s', 'the slider does not move the cursor of the curves');
        await page.evaluate('page.view.desk.plots[0].box.scrollIntoView({ block: "center" })');
        check((await page.$$eval('#scene .name', (all) => all.map((e) => e.textContent).sort().join())) === 'baseline,candidate', 'the two have other names');
        quiet(page, 'pair');
        await page.close();
}

// Bytes, and a browser without WebGL.
async function bounds() {
        const folder = fly('whole', join(root, 'rig_configs/default.json'), '--set', 'log.truth_rate_hz=1000'), { size } = statSync(join(folder, 'report.html'));
        check(size < 8e6, `45 s at 1 kHz have ${size} bytes`);
        await launch(['--disable-gpu', '--disable-3d-apis']);
        const page = await openPage(folder);
        check(/^This browser cannot show three dimensions/.test(await page.$eval('#space_note', (e) => e.textContent)), 'nothing is said where there is no WebGL');
        check((await page.$('#scene')) === null && (await page.$$('#above polyline.path')).length === 2, 'the view from above is not there without WebGL');
        check((await page.$$('figure.plot')).length >= 20, 'the curves are not there without WebGL');
        page.complaints = page.complaints.filter((text) => !/WebGL/.test(text));
        quiet(page, 'without WebGL');
}

await trial({ exact, thinned, hits, used, curves, fleet, pair, bounds });
