// Programs that scripts wait for while others run.
import { spawn } from 'node:child_process';

// Its exit status, 2 where a signal ended it, and what it said.
export function finished(program, args) {
        return new Promise((done) => {
                const child = spawn(program, args);
                let stdout = '', stderr = '';
                child.stdout.on('data', (text) => (stdout += text));
                child.stderr.on('data', (text) => (stderr += text));
                child.on('close', (status) => done({ status: status ?? 2, stdout, stderr }));
        });
}
