// Records of the log in a page: a table is { n, t, v } as page.h has it, and unpacked { time, value: [column] }, in seconds.

const records = (function () {
function unpack(table) {
        if (table.time) return table;
        let t = 0;
        table.time = Float64Array.from(table.t, (d) => (t += d) / 1e6);
        table.value = table.v.map((column) => Float64Array.from(column, (x) => (x === null ? NaN : x)));
        table.t = table.v = null;
        return table;
}

// How many rows are not later than t.
function rowsUntil(table, t) {
        let low = 0, high = table.time.length;
        while (low < high) {
                const mid = (low + high) >> 1;
                if (table.time[mid] <= t) low = mid + 1;
                else high = mid;
        }
        return low;
}

const rowOf = (table, i) => table.value.map((column) => column[i]);

// The newest value not later than t.
function valueAt(s, t) {
        const rows = rowsUntil(s, t);
        return rows > 0 ? s.value[rows - 1] : NaN;
}

// On the line from one record to the next, as it is drawn.
function placeAt(path, t) {
        const next = rowsUntil(path, t), last = path.time.length - 1;
        if (next === 0 || next > last) return rowOf(path, next === 0 ? 0 : last);
        const share = (t - path.time[next - 1]) / (path.time[next] - path.time[next - 1]);
        return path.value.map((column) => column[next - 1] + share * (column[next] - column[next - 1]));
}

// Rows as dygraphs wants them: [t, series 1, ...], null where a series has no sample (the line goes
// on), NaN where it has a gap (it does not).
function mergeRows(series, end) {
        const at = series.map(() => 0), rows = [];
        for (;;) {
                let t = Infinity;
                series.forEach((s, i) => { if (at[i] < s.time.length) t = Math.min(t, s.time[at[i]]); });
                if (t === Infinity) break;
                const row = [t];
                series.forEach((s, i) => {
                        let v = null;
                        if (s.time[at[i]] === t) {
                                v = s.value[at[i]];
                                // From 180 to -180 is no turn.
                                if (s.turns && at[i] > 0 && Math.abs(v - s.value[at[i] - 1]) > 300) v = NaN;
                                at[i]++;
                        }
                        row.push(v);
                });
                rows.push(row);
        }
        series.forEach((s, i) => {
                // What was asked last holds to the end.
                const last = s.value[s.value.length - 1];
                if (s.role === "setpoint" && s.time[s.time.length - 1] < end && Number.isFinite(last))
                        rows.push([end, ...series.map((_, k) => (k === i ? last : null))]);
        });
        return rows;
}

return { unpack, rowsUntil, rowOf, valueAt, placeAt, mergeRows };
})();
