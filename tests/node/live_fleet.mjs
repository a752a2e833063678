// Several vehicles on the live page, on every size of screen; and several flights one after the other.
import { join } from 'node:path';
import { fly, longScenario, openPage, seen, serve } from './pages/flights.mjs';
import { asleep, check, quiet, root, scratch, trial, until } from './pages/trial.mjs';

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
        const said = await page.$$eval('#events tr.said', (all) => all.map((tr) => tr.cells[1].textContent)), names = await seen(page, '(h) => h.store.scene.vehicles.map((v) => v.name)');
        check(names.every((name) => said.some((text) => text.startsWith(name + ': '))), `who said what: ${said.slice(0, 20)}`);
        // A step of all is nobody's.
        const steps = await page.$$eval('#events tr:not(.said)', (all) => all.map((tr) => tr.cells[1].textContent));
        check(steps.includes('go to north 5, east 5, up 5 m, heading 0 deg'), `the steps are ${steps}`);
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
                        check(await page.$$eval('#fleet button', (all) => all.every((b) => b.clientHeight < 40)), `${width}x${height}: names of vehicles are broken`);
                        check(drawn.wide <= 0, `${width}x${height}: ${drawn.wide} px wider than the screen`);
                }
        quiet(page, 'fleets');
        await page.close();
        run.child.kill('SIGTERM');
        await run.ended;
}

// One page, five flights one after the other at the same port.
async function manyRuns() {
        let page, port = '127.0.0.1:0';
        for (let i = 0; i < 5; i++) {
                const run = await fly(`again${i}`, port, '--set', 'log.wire=false', '--set', 'stop_after_s=86400', '--scenario', longScenario(), '--seed', String(i + 1));
                port = run.url.host;
                page ??= await openPage(run.url, { width: 700, height: 600 });
                await until(`flight ${i} on the page`, () => seen(page, '(h) => h.store.connected && h.store.end === null && h.store.frames.length > 3'));
                run.child.kill('SIGINT');
                await until(`the end of flight ${i}`, () => seen(page, '(h) => h.store.end !== null'));
                await run.ended;
                const times = await seen(page, '(h) => h.store.frames.map((f) => f.time_s)');
                check(times.every((t, n) => n === 0 || t > times[n - 1]), `flight ${i} is mixed with the one before`);
                await until('the page to notice', () => seen(page, '(h) => !h.store.connected'));
        }
        quiet(page, 'manyRuns');
        await page.close();
}

await trial({ fleets, manyRuns });
