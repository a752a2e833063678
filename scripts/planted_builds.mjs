// Lists of builds of the reference flight controller as `hilrig bisect` reads them, each a little different from the others.

// xorshift32: the same builds each time.
function random(seed) {
        let x = seed >>> 0;
        return () => {
                x ^= x << 13; x >>>= 0;
                x ^= x >>> 17;
                x ^= x << 5; x >>>= 0;
                return x / 2 ** 32;
        };
}

// Gains within 2 % and up to 5 us of delay are releases that are none the worse. From build `first` on the gain is lower by
// `drop`; with `mended`, up to the build before that one.
export function plantedBuilds(seed, builds, drop, mends = false) {
        const next = random(seed * 2654435761 + 1), lines = [];
        for (let i = 0; i < 8; i++) next();
        const first = 1 + Math.floor(next() * (builds - 1));
        const mended = mends ? first + 1 + Math.floor(next() * (builds - first)) : builds;
        for (let i = 0; i < builds; i++) {
                const gain = (1 + 0.02 * (2 * next() - 1)) * (i >= first && i < mended ? 1 - drop : 1);
                lines.push(`b${i} vehicles.0.fc.reference.planted.gain_ratio=${gain.toFixed(5)} ` +
                        `vehicles.0.fc.reference.planted.delay_us=${Math.floor(6 * next())}`);
        }
        return { first, mended, lines };
}
