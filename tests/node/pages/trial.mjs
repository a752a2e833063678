// What tests of pages have in common: checks that are counted, patience, Chromium by puppeteer-core, which downloads none, and a folder
// and processes that go with the test.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import puppeteer from 'puppeteer-core';

const build = process.env.BUILD ?? 'build';
let checks = 0;
let browser;

export const root = fileURLToPath(new URL('../../..', import.meta.url));
export const hilrig = join(build.startsWith('/') ? '' : root, build, 'hilrig');
export const scratch = mkdtempSync(join(tmpdir(), 'hilrig-pages-'));
export const children = [];

export function check(truth, what) {
        checks++;
        if (!truth) throw new Error(what);
}

export const asleep = (ms) => new Promise((done) => setTimeout(done, ms));

export async function until(what, look) {
        for (let waited = 0; waited < 60000; waited += 20) {
                const found = await look();
                if (found) return found;
                await asleep(20);
        }
        throw new Error(`waited for ${what} in vain`);
}

function findBrowser() {
        for (const name of ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']) {
                const found = spawnSync('sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
                if (found) return found;
        }
        console.log('no chromium (Debian: chromium-headless-shell); scripts/deps.sh check test firmware installs it');
        process.exit(process.env.CI === 'true' ? 1 : 77);
}

const inSoftware = ['--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-gpu-rasterization', '--disable-accelerated-2d-canvas', '--disable-gpu-compositing'];

export async function launch(how = inSoftware) {
        await browser?.close();
        // The test runner has the only limit of time: a busy machine may need minutes for a page.
        browser = await puppeteer.launch({ executablePath: findBrowser(), userDataDir: mkdtempSync(join(scratch, 'browser-')), timeout: 0, protocolTimeout: 0, args: ['--no-sandbox', '--disable-dev-shm-usage', '--no-first-run', ...how] });
}

export const newPage = () => browser.newPage();

// Pictures that are drawn in software cost what the whole test does: ten a second, with edges as they come.
function drawSeldom() {
        const context = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, options) { return context.call(this, kind, kind === 'webgl' ? { ...options, antialias: false } : options); };
        window.requestAnimationFrame = (draw) => setTimeout(() => draw(performance.now()), 100);
        window.cancelAnimationFrame = clearTimeout;
}

// What Chromium says of a scene that it puts together in software.
const slowReading = /GPU stall due to ReadPixels/;

// A page with everything that it complains of, but for what is forgiven, and whatever it asks for that is not its own.
export async function watchedPage(size, forgiven, isOwn) {
        const page = await newPage();
        page.setDefaultTimeout(0);
        await page.evaluateOnNewDocument(drawSeldom);
        page.complaints = [];
        page.on('console', (m) => { if (['error', 'warning', 'warn'].includes(m.type()) && !forgiven.test(m.text()) && !slowReading.test(m.text())) page.complaints.push(m.text()); });
        page.on('pageerror', (e) => page.complaints.push(e.message));
        page.on('request', (r) => { if (!r.url().startsWith('data:') && !isOwn(new URL(r.url()))) page.complaints.push('asks for ' + r.url()); });
        await page.setViewport(size);
        return page;
}

export const quiet = (page, what) => check(page.complaints.length === 0, `${what}: the browser complains: ${page.complaints.join('; ')}`);

// Each part in turn, or the one that the command line names; some need what those before them have flown.
export async function trial(parts, { browses = true } = {}) {
        const alone = process.argv[2];
        try {
                if (browses) await launch();
                for (const part of alone ? [alone] : Object.keys(parts)) await parts[part]();
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
}
