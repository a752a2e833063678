// docs/pictures/live.png: the live page as it stands, 28 s into the default rig's flight; live_sticks.png: sticks on it.
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
const children = [];
let browser;

// `hilrig WORDS...`, and where its page is.
function serve(words) {
        const child = spawn(hilrig, words, { stdio: ['ignore', 'pipe', 'pipe'] });
        let said = '';
        children.push(child);
        return new Promise((done) => {
                for (const stream of [child.stdout, child.stderr])
                        stream.on('data', (more) => { said += more; const url = said.match(/live page: (\S+)\s/); if (url) done(url[1]); });
        });
}

async function open(url, height) {
        const page = await browser.newPage();
        await page.setViewport({ width: 1440, height });
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'light' }]);
        await page.goto(url);
        return page;
}

async function recorded() {
        const run = join(scratch, 'default');
        spawnSync(hilrig, ['run', 'rig_configs/default.json', '--pace', 'lockstep', '--out', run]);
        const page = await open(await serve(['view', run]), 980);
        while (!(await page.evaluate(() => window.hilrig.store.end !== null))) await asleep(100);
        await page.evaluate(() => window.hilrig.go(28));
        await asleep(2000);
        await page.screenshot({ path: 'docs/pictures/live.png' });
}

async function sticks() {
        const page = await open(await serve(['run', 'rig_configs/rigs/by_hand.json', '--out', join(scratch, 'by_hand'), '--live-held', '--set', 'vehicles.0.joystick.source=page']), 1180);
        await page.waitForSelector('#sticks .stick');
        await page.select('#pace', '1');
        await page.click('#hold');
        await page.click('#sticks button');
        const [left, right] = await page.$$('#sticks .stick');
        await left.focus();
        await page.keyboard.down('Shift');
        for (let i = 0; i < 12; i++) await page.keyboard.press('ArrowUp');
        await page.keyboard.up('Shift');
        while (!(await page.evaluate(() => window.hilrig.store.frames.at(-1)?.time_s > 3))) await asleep(20);
        const box = await right.boundingBox();
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await page.mouse.down();
        await page.mouse.move(box.x + box.width * 0.8, box.y + box.height * 0.3);
        while (!(await page.evaluate(() => window.hilrig.store.frames.at(-1).time_s > 4))) await asleep(20);
        await page.screenshot({ path: 'docs/pictures/live_sticks.png' });
}

try {
        const chromium = spawnSync('sh', ['-c', 'command -v chromium'], { encoding: 'utf8' }).stdout.trim();
        browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'] });
        await recorded();
        await sticks();
} finally {
        await browser?.close();
        for (const child of children) child.kill();
        rmSync(scratch, { recursive: true, force: true });
}
process.exit();
