// Whether a page is there for everybody: axe-core's rules of WCAG 2.2 A and AA; contrast by WCAG's formula, of texts and of lines;
// by the Tab key every control is reached, but for those that a table has once more (tabindex -1).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// In the page: [contrast, least, what], of every text that is seen, and of the colours of lines.
function contrasts(lines) {
        const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        const numbers = (colour) => {
                canvas.clearRect(0, 0, 1, 1);
                canvas.fillStyle = colour;
                canvas.fillRect(0, 0, 1, 1);
                return [...canvas.getImageData(0, 0, 1, 1).data];
        };
        const light = (c) => c.slice(0, 3).map((x) => (x / 255 <= 0.03928 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, x, k) => sum + x * [0.2126, 0.7152, 0.0722][k], 0);
        const ratio = (a, b) => { const [low, high] = [light(a), light(b)].sort((x, y) => x - y); return (high + 0.05) / (low + 0.05); };
        const over = (front, back, share) => back.map((x, k) => (k < 3 ? share * front[k] + (1 - share) * x : 255));
        const root = getComputedStyle(document.documentElement), named = (name) => numbers(root.getPropertyValue('--' + name).trim());
        const found = lines.map((name) => [ratio(named(name), named('card')), 3, 'lines of --' + name]);
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walk.nextNode()) {
                const e = walk.currentNode.parentElement, style = getComputedStyle(e);
                if (!walk.currentNode.data.trim() || !e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || e.getBoundingClientRect().width < 5 || e.closest('script, style, noscript, option')) continue;
                const parents = [];
                for (let p = e; p; p = p.parentElement) parents.push(getComputedStyle(p));
                // From the nearest opaque one on.
                const grounds = parents.map((s) => numbers(s.backgroundColor)), bottom = grounds.findIndex((g) => g[3] === 255);
                let ground = bottom < 0 ? [255, 255, 255, 255] : grounds[bottom];
                for (const g of grounds.slice(0, Math.max(bottom, 0)).reverse()) ground = over(g, ground, g[3] / 255);
                const ink = numbers(e.namespaceURI.endsWith('svg') ? style.fill : style.color), share = ink[3] / 255 * parents.reduce((product, s) => product * s.opacity, 1);
                const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
                found.push([ratio(over(ink, ground, share), ground), large ? 3 : 4.5, `"${walk.currentNode.data.trim().slice(0, 40)}" in ${e.tagName} ${e.className?.baseVal ?? e.className}`]);
        }
        return found;
}

async function reachedByTab(page) {
        const controls = await page.evaluate(() => {
                const all = [...document.querySelectorAll('a[href], button, input, select, summary, textarea, [tabindex="0"]')].filter((e) => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({ visibilityProperty: true }));
                all.forEach((e, i) => (e.dataset.control = i));
                document.activeElement.blur();
                scrollTo(0, 0);
                return all.map((e) => e.outerHTML.slice(0, 120));
        });
        const reached = new Set();
        for (let i = 0; i < controls.length + 3; i++) {
                await page.keyboard.press('Tab');
                reached.add(await page.evaluate(() => document.activeElement.dataset.control));
        }
        return { count: controls.length, missed: controls.filter((_, i) => !reached.has(String(i))) };
}

export async function accessible(page, what, check) {
        await page.evaluate(axe + ';0');
        for (const scheme of ['dark', 'light']) {
                await page.evaluate((wanted) => { document.documentElement.dataset.theme = wanted; }, scheme);
                const told = await page.evaluate("axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })");
                check(told.passes.length > 10, `${what}, ${scheme}: axe has looked at ${told.passes.length} things`);
                for (const v of told.violations) check(false, `${what}, ${scheme}: ${v.id}: ${v.nodes.slice(0, 5).map((n) => n.target.join(' ') + ': ' + n.failureSummary).join('; ')}`);
                const found = await page.evaluate(contrasts, ['truth', 'estimate', 'setpoint', 'sensor', 'mark', 'c1', 'c2', 'c3', 'c4', 'c5', 'c6', 'c7', 'c8']);
                check(found.length > 40, `${what}, ${scheme}: only ${found.length} texts are seen`);
                const faint = found.filter(([contrast, least]) => contrast < least);
                check(faint.length === 0, `${what}, ${scheme}: too faint: ${faint.slice(0, 8).map(([contrast, least, text]) => `${text}, ${contrast.toFixed(2)} of ${least}`).join('; ')}`);
        }
        const { count, missed } = await reachedByTab(page);
        check(count > 5 && missed.length === 0, `${what}: of ${count} controls the Tab key does not reach ${missed.join(' ')}`);
}
