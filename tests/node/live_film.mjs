// A video of a recorded run, and the same as pictures.
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fly } from './pages/flights.mjs';
import { check, hilrig, newPage, scratch, trial } from './pages/trial.mjs';

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
        const page = await newPage();
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

await trial({ film });
