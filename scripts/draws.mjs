// Draws that are the same every time, and what a share that was counted may be at most.

// mulberry32
export function draws(state) {
        return () => {
                state = (state + 0x6d2b79f5) | 0;
                let t = Math.imul(state ^ (state >>> 15), 1 | state);
                t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
                return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
        };
}

// n of all, none twice.
export function drawn(random, all, n) {
        const left = [...all];
        for (let i = 0; i < n; i++) {
                const other = i + Math.floor(random() * (left.length - i));
                [left[i], left[other]] = [left[other], left[i]];
        }
        return left.slice(0, n);
}

const logFactorial = [0];
function logChoose(n, k) {
        while (logFactorial.length <= n) logFactorial.push(logFactorial.at(-1) + Math.log(logFactorial.length));
        return logFactorial[n] - logFactorial[k] - logFactorial[n - k];
}

const atMost = (k, n, p) => {
        let sum = 0;
        for (let i = 0; i <= k; i++) sum += Math.exp(logChoose(n, i) + i * Math.log(p) + (n - i) * Math.log1p(-p));
        return sum;
};

// The upper end of Clopper and Pearson's 95 % interval, Biometrika 26 (1934).
export function upper(k, n) {
        let low = 0, high = 1;
        if (k === n) return 1;
        for (let i = 0; i < 60; i++) {
                const middle = (low + high) / 2;
                if (atMost(k, n, middle) > 0.025) low = middle;
                else high = middle;
        }
        return low;
}

export const percent = (k, n) => `${+(100 * k / n).toFixed(1)} %`;
