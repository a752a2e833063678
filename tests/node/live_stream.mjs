// The live page's server by npm's ws and by plain sockets, without a browser: many who watch, strangers, the token.
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { fileURLToPath } from 'node:url';
import WebSocket from 'ws';
import { fly, flyHeld, landed, longScenario, signal, watch } from './pages/flights.mjs';
import { check, trial, until } from './pages/trial.mjs';

// The first line that plain bytes are answered with, or "" where the connection is closed without one.
function answer(url, bytes) {
        return new Promise((done) => {
                const socket = net.connect(url.port, url.hostname, () => socket.write(bytes));
                let heard = '';
                socket.on('data', (more) => {
                        heard += more;
                        if (heard.includes('\r\n')) socket.destroy();
                });
                socket.on('error', () => {});
                socket.on('close', () => done(heard.split('\r\n')[0]));
                setTimeout(() => socket.destroy(), 20000).unref();
        });
}

const upgrade = (host, more = '', path = '/stream') =>
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n` +
        `Sec-WebSocket-Protocol: hilrig\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`;

// Many at once, who leave when they like, and one who never reads.
async function manyViewers() {
        const run = await flyHeld('many', '--set', 'log.wire=false');
        const all = [];
        for (let i = 0; i < 20; i++) {
                const one = watch(run.url);
                one.leaves = i % 2 === 0 ? 5 + 3 * i : Infinity;
                one.socket.on('message', () => { if (one.heard.length >= one.leaves) one.socket.terminate(); });
                if (i === 19) one.socket.on('open', () => one.socket._socket.pause());
                all.push(one);
        }
        await until('twenty who watch', () => all.every((one) => one.opened));
        all[0].socket.send('{"kind":"do","what":"go"}');
        check((await landed(run)) === signal, 'twenty who watch change the signal');
        all[19].socket.terminate();
        await Promise.all(all.map((one) => one.ended));
        all.slice(0, 19).forEach((one, i) => {
                check(one.opened, `viewer ${i} was not let in`);
                check(one.heard[0]?.kind === 'scene', `viewer ${i} hears ${one.heard[0]?.kind} first`);
                if (one.leaves < Infinity) return;
                const frames = one.heard.filter((d) => d.kind === 'frame'), end = one.heard.filter((d) => d.kind === 'end');
                check(end.length === 1 && end[0].verdict === 'passed', `viewer ${i} does not hear the end`);
                check(frames.length > 20, `viewer ${i} hears ${frames.length} frames`);
                const gaps = frames.slice(1).reduce((sum, f, n) => sum + f.number - frames[n].number - 1, 0);
                check(frames.at(-1).lost === gaps, `viewer ${i}: ${gaps} frames are missing, ${frames.at(-1).lost} are told of`);
                check(frames.every((f, n) => n === 0 || f.time_s > frames[n - 1].time_s), `viewer ${i}: time goes backwards`);
        });
}

// In a flight that goes on: who has no business here, and who talks nonsense.
async function strangers() {
        const run = await fly('strange', '--set', 'log.wire=false', '--set', 'stop_after_s=86400', '--scenario', longScenario());
        const host = run.url.host, own = `Origin: http://${host}\r\n`;
        const get = (name, path = '/', more = '') => `GET ${path} HTTP/1.1\r\nHost: ${name}\r\n${more}\r\n`;
        const status = async (bytes) => (await answer(run.url, bytes)).split(' ')[1] ?? 'none';

        check((await status(get(host))) === '200', 'the page is not handed out');
        check((await status(get(`localhost:${run.url.port}`))) === '200', 'localhost is refused');
        check((await status(get(host, '/etc/passwd'))) === '404', 'another path is answered');
        for (const name of ['evil.example', `evil.example:${run.url.port}`, `127.0.0.1.evil.example:${run.url.port}`, '127.0.0.1:1', '192.0.2.7:' + run.url.port, ''])
                check((await status(get(name))) === '403' || (name === '' && (await status(get(name))) !== '200'), `Host "${name}" gets the page`);
        check((await status(get(host, '/', 'Origin: http://evil.example\r\n'))) === '403', 'another site gets the page');
        check((await status(upgrade(host, own))) === '101', 'the page itself is not let in');
        for (const origin of ['http://evil.example', 'null', `https://${host}`, `http://${host}.evil.example`, `http://${host}/`])
                check((await status(upgrade(host, `Origin: ${origin}\r\n`))) !== '101', `the stream is open to ${origin}`);
        check((await status(upgrade(`evil.example:${run.url.port}`, `Origin: http://evil.example:${run.url.port}\r\n`))) !== '101', 'a name that points here is let in');

        // Frames as they must not be, each on a connection of its own.
        const raw = [[0x81, 0x05, 1, 2, 3, 4, 5], [0x83, 0x80, 0, 0, 0, 0], [0x89, 0xfe, 0xff, 0xff, 0, 0, 0, 0], [0xf1, 0x80, 0, 0, 0, 0],
                [0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4], [0x81, 0x82, 0, 0, 0, 0, 0xc3, 0x28],
                [0x80, 0x81, 0, 0, 0, 0, 0x41], [0x88, 0x81, 0, 0, 0, 0, 0x01]];
        for (let i = 0; i < 60; i++) raw.push(Array.from({ length: 1 + (i * 37) % 200 }, () => Math.floor(256 * Math.random())));
        for (const bytes of raw)
                await new Promise((done) => {
                        const socket = net.connect(run.url.port, '127.0.0.1', () => socket.write(upgrade(host, own)));
                        socket.once('data', () => { socket.write(Buffer.from(bytes)); setTimeout(() => socket.destroy(), 15); });
                        socket.on('error', () => {});
                        socket.on('close', done);
                });
        // Documents that are none.
        const rude = watch(run.url);
        await once(rude.socket, 'open');
        for (const text of ['', '{', 'null', '[]', '"ask"', '{"kind":"ask"}', '{"kind":"ask","quantities":7}', '{"kind":"run","run":-1}',
                JSON.stringify({ kind: 'ask', quantities: ['hilrig_tick.duty[99]', 'v9.hilrig_tick.duty[0]', '..', 'hilrig_tick.', 'v', 7, null, 'x'.repeat(500)] }),
                JSON.stringify({ kind: 'ask', quantities: Array(150).fill('hilrig_tick.tick') }), '['.repeat(2000)]) rude.socket.send(text);
        await until('frames after nonsense', () => rude.heard.filter((d) => d.kind === 'frame').length > 20);
        check(rude.heard.at(-1).kind !== undefined && rude.socket.readyState === WebSocket.OPEN, 'nonsense ends the connection');
        rude.socket.send('x'.repeat(5000));
        await rude.ended;
        const binary = watch(run.url);
        await once(binary.socket, 'open');
        binary.socket.send(Buffer.from('{"kind":"ask","quantities":[]}'));
        await binary.ended;

        const good = watch(run.url);
        await until('a good one after all that', () => good.heard.some((d) => d.kind === 'frame'));
        // More than there is room for.
        const crowd = Array.from({ length: 70 }, () => watch(run.url));
        await until('a full house', () => crowd.filter((c) => c.heard.length > 0).length >= 60);
        check(crowd.filter((c) => c.heard.length > 0).length <= 64, 'more are let in than there is room for');
        crowd.forEach((c) => c.socket.terminate());
        await Promise.all(crowd.map((c) => c.ended));
        const late = await until('room again', async () => {
                const one = watch(run.url);
                await Promise.race([one.ended, once(one.socket, 'message')]);
                return one.heard.length > 0 && one;
        });
        late.socket.terminate();
        run.child.kill('SIGINT');
        await good.ended;
        check(good.heard.at(-1).kind === 'end' && good.heard.at(-1).verdict === 'void', 'an interrupted flight ends with ' + JSON.stringify(good.heard.at(-1)));
        await run.ended;
}

// Beyond this machine only with the token: in a network of its own, where nobody is.
async function inside() {
        const run = await fly('token', '192.0.2.1:0', '--set', 'stop_after_s=86400', '--scenario', longScenario());
        const token = run.url.searchParams.get('token'), host = run.url.host;
        const get = async (path) => (await answer(run.url, `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)).split(' ')[1];

        check(/^[0-9a-f]{32}$/.test(token), `the token is ${token}`);
        check((await get('/?token=' + token)) === '200', 'the token does not open the page');
        for (const wrong of ['/', '/?token=', '/?token=' + token.slice(1), '/?token=' + token + '0', '/?token=' + token.replace(/./g, '0'), '/?other=' + token])
                check((await get(wrong)) === '403', `${wrong} opens the page`);
        check((await answer(run.url, upgrade(host, `Origin: http://${host}\r\n`, '/stream?token=' + token))).includes('101'), 'the token does not open the stream');
        check(!(await answer(run.url, upgrade(host, `Origin: http://${host}\r\n`))).includes('101'), 'the stream is open without the token');
        run.child.kill('SIGINT');
        await run.ended;
}

function token() {
        const within = 'ip link set lo up && ip addr add 192.0.2.1/32 dev lo && exec "$0" "$@"';
        const able = spawnSync('unshare', ['-rn', 'sh', '-c', 'ip link set lo up']).status === 0;
        if (!able && process.env.CI !== 'true') {
                console.log('no network namespace can be made: its token is not checked');
                return;
        }
        const done = spawnSync('unshare', ['-rn', 'sh', '-c', within, process.execPath, fileURLToPath(import.meta.url), 'inside'], { encoding: 'utf8' });
        check(done.status === 0, `in a network of its own: ${done.stdout}${done.stderr}`);
}

await trial(process.argv[2] === 'inside' ? { inside } : { manyViewers, strangers, token }, { browses: false });
