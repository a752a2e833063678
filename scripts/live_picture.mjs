// docs/pictures/live.png: the live page as it stands, 28 s into the default rig's flight.
//
//     node scripts/live_picture.mjs
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const puppeteer = createRequire(new URL('../tests/node/', import.meta.url))('puppeteer-core');
const hilrig = join(process.env.BUILD ?? 'build', 'hilrig');
const scratch = mkdtempSync(join(tmpdir(), 'hilrig-live-picture-'));
const asleep = (ms) => new Promise((done) => setTimeout(done, ms));
let view, browser;

try {
        const run = join(scratch, 'default');
        spawnSync(hilrig, ['run', 'rig_configs/default.json', '--pace', 'lockstep', '--out', run]);
        view = spawn(hilrig, ['view', run], { stdio: ['ignore', 'pipe', 'inherit'] });
        const url = await new Promise((done) => view.stdout.on('data', (said) => done(String(said).match(/http:\S+/)[0])));
        const chromium = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim();
        browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
        const page = await browser.newPage();
        await page.setViewport({ width: 1440, height: 980 });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
        await page.goto(url);
        while (!(await page.evaluate(() => window.hilrig.store.end !== null))) await asleep(100);
        await page.evaluate(() => window.hilrig.go(28));
        await asleep(2000);
        await page.screenshot({ path: 'docs/pictures/live.png' });
} finally {
        await browser?.close();
        view?.kill();
        rmSync(scratch, { recursive: true, force: true });
}
process.exit();
