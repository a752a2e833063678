// What tests of the live page share: flights that are served, who watches by the stream alone, the page in a browser, the log as Foxglove's
// reader has it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ULog } from '@foxglove/ulog';
import WebSocket from 'ws';
import { check, children, hilrig, root, scratch, until, watchedPage } from './trial.mjs';

const { FileReader } = createRequire(import.meta.url)('@foxglove/ulog/node');
export const rig = join(root, 'rig_configs/default.json');
// That of tests/run/start.sh: watching changes no bit.
export const signal = readFileSync(join(root, 'tests/run/start.sh'), 'utf8').match(/[0-9a-f]{64}/)[0];

// Starts `hilrig WORDS...` and learns where its page is.
export async function serve(words) {
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

export const fly = (name, ...more) => serve(['run', rig, '--pace', 'lockstep', '--out', join(scratch, name), '--live', ...more]);

// It stands still until somebody is there who lets it go on: a flight in lockstep may be over before a browser has looked.
export const flyHeld = (name, ...more) => fly(name, '--live-held', ...more);

export async function landed(run) {
        const [status] = await run.ended;
        check(status === 0, `the flight's exit status is ${status}: ${run.said.err}`);
        return run.said.out.match(/^signal ([0-9a-f]{64})/m)?.[1];
}

// One who watches by the stream alone; ended is fulfilled however it ends.
export function watch(url, options = {}) {
        const to = new URL('stream' + url.search, url);
        to.protocol = 'ws:';
        const socket = new WebSocket(to, 'hilrig', options);
        const watching = { socket, heard: [], opened: false, ended: new Promise((done) => socket.on('close', done)) };
        socket.on('open', () => (watching.opened = true));
        socket.on('error', () => {});
        socket.on('message', (text) => watching.heard.push(JSON.parse(text)));
        return watching;
}

export async function readLog(folder) {
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

export const openPage = async (url, size = { width: 1280, height: 900 }) => {
        // That nobody listens any more is no fault of the page's own.
        const page = await watchedPage(size, /WebSocket connection to .* failed/, (to) => to.host === url.host);
        await page.goto(url.href);
        return page;
};

export const seen = (page, what) => page.evaluate(`(${what})(window.hilrig)`);

export function longScenario() {
        const path = join(scratch, 'long.json');
        writeFileSync(path, '{ "name": "long", "duration_s": 86400, "steps": [] }');
        return path;
}
