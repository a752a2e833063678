#!/usr/bin/env bash
# A short flight's report.html, the page of a suite and the one that compares flights, in a real browser, at a desk, on a
# phone and on paper: their scripts run without an error, everything is there, nothing is wider than the
# screen, a click zooms every plot. With PICTURES=FOLDER the screenshots stay there.
# Runs beside others: nothing here is in real time.
cd "$(dirname "$0")/../.." || exit 1
. tests/expect.bash

fly() { # name, exit status, options...
        local name=$1 status=$2
        shift 2
        expect "$status" "$hilrig" run rig_configs/default.json --pace lockstep "${inside[@]}" --out "$scratch/$name" "$@"
        expect 0 "$hilrig" report "$scratch/$name"
        [ -s "$scratch/$name/report.html" ] || fail "no report.html"
        [ "$(stat -c %s "$scratch/$name/report.html")" -lt 8000000 ] || fail "more than 8 MB"
}

fly passed 0
cp "$scratch/passed/report.html" "$scratch/first.html"
expect 0 "$hilrig" report "$scratch/passed"
cmp -s "$scratch/first.html" "$scratch/passed/report.html" || fail "a second report differs"

# A stimulus and a fault: their words, when they begin and when they are over.
cat >"$scratch/faulty.json" <<'EOF'
{
  "name": "faulty",
  "duration_s": 9,
  "steps": [
    { "at_s": 0, "mode": "disarmed" },
    { "at_s": 2, "mode": "armed" },
    { "name": "take-off", "at_s": 3, "mode": "goto", "up_m": 2 },
    { "name": "shake", "at_s": 5, "stimulus": { "input": "yaw_deg", "shape": "doublet", "amplitude": 3, "for_s": 2 } },
    { "name": "deaf ears", "at_s": 6, "for_s": 1, "sensor_fault": { "sensor": "gps", "does": "dropout", "probability": 1 } }
  ],
  "requirements": [
    { "name": "stays upright", "kind": "always", "signal": "tilt_deg", "max": 45 }
  ]
}
EOF
fly faulty 0 --scenario "$scratch/faulty.json"
if grep -q 'cannot read everything' "$scratch/passed/report.html" "$scratch/faulty/report.html"; then
        fail "a topic of this version's own log is not read"
fi

# Cut off: what there is, and that it is not all.
mkdir "$scratch/cut"
head -c 2000001 "$scratch/passed/run.ulg" >"$scratch/cut/run.ulg"
expect 0 "$hilrig" report "$scratch/cut"
grep -q 'The run was cut off' "$scratch/cut/report.html" || fail "does not say that it was cut off"
expect 2 "$hilrig" report "$scratch"
says "holds neither summary.json nor run.ulg"

# Flights over each other, of which one was cut off, one has no log and one's log is junk.
for side in a b; do
        mkdir -p "$scratch/$side/rig/flight"
        for seed in 1 2 3; do
                fly $side/rig/flight/$seed-1 0 --scenario "$scratch/faulty.json" --seed $seed
        done
done
flights=$scratch/b/rig/flight
expect 0 "$hilrig" compare "$scratch/a" "$scratch/b" --html "$scratch/same.html"
truncate -s $(($(stat -c %s "$flights/1-1/run.ulg") / 2)) "$flights/1-1/run.ulg"
rm "$flights/2-1/run.ulg"
echo junk >"$flights/3-1/run.ulg"
expect 0 "$hilrig" compare "$scratch/a" "$scratch/b" --html "$scratch/torn.html"
for words in '1-1: its run.ulg was cut off at [0-9.]* s of 9.000 s' '2-1: its run.ulg is missing' '3-1: its run.ulg is no log'; do
        grep -q "^\"Candidate rig/flight/$words" "$scratch/torn.html" || fail "the comparison does not say \"$words\""
done
# One that is worse in one of them.
for seed in 1 2 3; do
        fly c/rig/flight/$seed-1 0 --scenario "$scratch/faulty.json" --seed $seed \
                --set "vehicles.0.fc.reference.planted.gain_ratio=$((seed == 2 ? 1 : 2))"
done
expect 3 "$hilrig" compare "$scratch/a" "$scratch/c" --html "$scratch/worse.html"
if grep -E '^"(Baseline|Candidate) ' "$scratch/same.html"; then fail "the comparison complains of whole logs"; fi

# A suite's page: one scenario, two seeds.
cat >"$scratch/two.json" <<EOF
{ "name": "two", "rigs": [{ "file": "$PWD/rig_configs/default.json" }], "scenarios": [{ "file": "$scratch/faulty.json" }],
  "seeds": { "count": 2 }, "pace": "lockstep" }
EOF
expect 0 "$hilrig" suite "$scratch/two.json" --out "$scratch/two"

# What follows is the pages' scripts, which were not compiled.
enough_under_sanitizers

. tests/browser.bash

# In three dimensions it is seen by tests/node/report.mjs: here the page does without, which is quicker.
drawing=(--disable-gpu --disable-3d-apis)

# browse PAGE WIDTHxHEIGHT OPTIONS...: standard output and error of the browser are kept.
browse() {
        local page=$1 size=$2
        shift 2
        timeout 120 "$browser" --headless=new --no-sandbox "${drawing[@]}" --disable-dev-shm-usage --no-first-run \
                --user-data-dir="$scratch/browser" --hide-scrollbars --window-size="${size/x/,}" --virtual-time-budget=10000 \
                --enable-logging=stderr --v=0 "$@" "file://$page" >"$scratch/out" 2>"$scratch/err" </dev/null ||
                fail "$browser: exit status $?"
        # dygraphs 2.2 tells the console how many points a zoomed plot leaves out, which is what zooming is for.
        # A canvas of WebGL that is photographed is read back, which is slow, and said.
        if grep -E 'CONSOLE|Uncaught|Refused to' "$scratch/err" | grep -vE '"[0-9]+ points out of [XY] bounds:|GPU stall due to ReadPixels'; then
                fail "$page: the browser complained"
        fi
        : >"$scratch/err"
}

# What a person would do, and what the page then shows, written into its end: at first from above, then in the plots.
probe() { # page
        {
                cat "$1"
                cat <<'EOF'
<script>
const figure = (name) => [...document.querySelectorAll('figure.plot')].find((f) => f.textContent.startsWith(name));
// Points in the first rotor's colour that are further than 5 px from every record of its command in the page.
function invented() {
        const { flight } = page.data, plot = page.view && page.view.desk.plots.find((p) => p.name === 'Motor command');
        if (!flight || !plot) return 0;
        const canvas = plot.box.querySelector('canvas'), near = new Uint8Array(canvas.width);
        for (const t of flight.vehicles[0].tables.duty.time) {
                const x = Math.round(plot.graph.toDomXCoord(t));
                for (let i = Math.max(x - 5, 0); i <= Math.min(x + 5, canvas.width - 1); i++) near[i] = 1;
        }
        let found = 0;
        // A canvas may be read once.
        const copy = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
        [copy.canvas.width, copy.canvas.height] = [canvas.width, canvas.height];
        copy.drawImage(canvas, 0, 0);
        const p = copy.getImageData(0, 0, canvas.width, canvas.height).data;
        for (let i = 0; i < p.length; i += 4)
                if (p[i] === 0 && p[i + 1] === 114 && p[i + 2] === 178 && !near[i / 4 % canvas.width]) found++;
        return found;
}
const below = () => ['Loop', 'Lateness', 'Compute', 'Motor command'].map(figure).filter(Boolean)
        .flatMap((f) => [...f.querySelectorAll('.dygraph-axis-label-y')]).filter((e) => e.textContent.startsWith('-')).length;
setTimeout(() => {
        const play = document.getElementById('play'), place = document.getElementById('place');
        let seen = 'whole=' + document.getElementById('window').textContent + '; ';
        if (play && document.getElementById('above')) {
                const above = document.getElementById('above'), slider = document.getElementById('time'), last = place.textContent;
                slider.value = slider.max / 2;
                slider.dispatchEvent(new Event('input'));
                const half = place.textContent, scale = above.innerHTML;
                above.dispatchEvent(new KeyboardEvent('keydown', { key: '+' }));
                seen += ['paths=' + above.querySelectorAll('polyline.path').length, 'asked=' + above.querySelectorAll('.asked').length,
                        'half=' + half.split(';')[0], 'ended=' + last.split(';')[0], 'closer=' + (scale !== above.innerHTML),
                        'cursor=' + document.getElementById('window').textContent].join('; ') + '; ';
                play.click();
        }
        setTimeout(zoom, 500, seen);
}, 3000);
function zoom(seen) {
        const place = document.getElementById('place');
        const played = place && place.textContent.split(';')[0], play = document.getElementById('play');
        if (play && play.textContent === 'Pause') play.click();
        const jump = document.querySelector('.requirements .jump, [data-do="in"]');
        if (jump) jump.click();
        setTimeout(() => {
                const inked = [...document.querySelectorAll('.canvas canvas:first-of-type')].filter((c) => {
                        const p = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                        return p.some((x) => x > 0);
                }).length;
                const p = document.createElement('p');
                p.id = 'probe';
                p.textContent = seen + ['played=' + played, 'plots=' + document.querySelectorAll('figure.plot').length, 'inked=' + inked,
                        'wide=' + (document.documentElement.scrollWidth - window.innerWidth),
                        'invented=' + invented(), 'below=' + below(),
                        'now=' + document.getElementById('window').textContent].join('; ') + ';';
                document.body.append(p);
        }, 3000);
}
</script>
EOF
        } >"$scratch/probe.html"
}

found() { grep -oE "$1=[^;]*;" "$scratch/dom" | tail -n 1 | sed 's/^[a-z]*=//; s/;$//'; }

look() { # page, WxH, plots at least
        probe "$scratch/$1"
        browse "$scratch/probe.html" "$2" --dump-dom
        cp "$scratch/out" "$scratch/dom"
        : >"$scratch/out"
        grep -q 'data-ready="true"' "$scratch/dom" || fail "$1, $2: the page did not get ready"
        [ "$(found plots)" -ge "$3" ] || fail "$1, $2: only $(found plots) plots"
        [ "$(found inked)" -eq "$(found plots)" ] || fail "$1, $2: only $(found inked) of $(found plots) plots show something"
        [ "$(found wide)" -le 0 ] || fail "$1, $2: $(found wide) px wider than the screen"
        [ "$(found invented)" -eq 0 ] || fail "$1, $2: $(found invented) points are drawn where the page has no record"
        [ "$(found below)" -eq 0 ] || fail "$1, $2: an axis goes below 0, which nothing in the log does"
}

zoomed() { # what was clicked on
        case $(found now) in
        "$(found whole)" | '') fail "$1 did not zoom" ;;
        esac
}

for size in 1280x900 390x844; do
        look passed/report.html $size 20
        # The path above and beside, three places that it was asked to go to, each twice.
        [ "$(found paths)" -eq 2 ] || fail "$size: $(found paths) paths in place of 2 from above and beside"
        [ "$(found asked)" -eq 6 ] || fail "$size: $(found asked) marks of set-points in place of 6"
        [ "$(found ended)" = "45.00 of 45.00 s" ] || fail "$size: the top view opens at $(found ended)"
        [ "$(found half)" = "22.50 of 45.00 s" ] || fail "$size: the slider's middle shows $(found half)"
        [ "$(found cursor)" = "at 22.500 s" ] || fail "$size: the plots' cursor does not follow the slider: $(found cursor)"
        [ "$(found closer)" = true ] || fail "$size: the key + does not zoom"
        [ "$(found played)" != "$(found half)" ] || fail "$size: it does not play"
        grep -q '</span> passed</h1>' "$scratch/dom" || fail "$size: no verdict"
        wanted=$(grep -c '"passed": ' "$scratch/passed/summary.json")
        [ "$(grep -o '<span class="badge ' "$scratch/dom" | wc -l)" -eq "$wanted" ] || fail "$size: not all requirements"
        [ "$(found whole)" = "0.000 to 45.000 s of 45.000 s" ] || fail "$size: showed $(found whole) at first"
        zoomed "$size: a click on a requirement"
done
look faulty/report.html 1280x900 20
for words in 'shake: yaw_deg doublet' 'deaf ears: gps dropout'; do
        grep -E "<div class=\"bar\"[^>]*>$words" "$scratch/dom" >/dev/null || fail "faulty: no bar for $words"
        for kind in step begins 'is over'; do
                grep -E "<td>$kind</td><td>[^<]*</td><td>$words" "$scratch/dom" >/dev/null ||
                        fail "faulty: no row \"$kind\" with $words"
        done
done
look cut/report.html 1280x900 20
grep -q '</span> void</h1>' "$scratch/dom" || fail "cut: not void"

for size in 1280x900 390x844; do
        for page in same torn; do
                look $page.html $size 9
                [ "$(found whole)" = "0.000 to 9.000 s of 9.000 s" ] || fail "$page, $size: showed $(found whole) at first"
                zoomed "$page, $size: the button"
                grep -q 'All 3 pairs are drawn' "$scratch/dom" || fail "$page, $size: not all pairs"
        done
done
look worse.html 1280x900 9
for words in 'Drawn is the worst pair, seed [13]: ' 'What decided it' 'vehicles.0.fc.reference.planted.gain_ratio</th><td>1</td><td>2</td>' 'hilrig-fc '; do
        grep -q "$words" "$scratch/dom" || fail "the page of what is worse does not say \"$words\""
done
# Without plots and script: all runs are told, and nothing is wider than the screen.
for size in 1280x900 390x844; do
        {
                cat "$scratch/two/suite.html"
                echo '<script>document.body.append("wide=" + (document.documentElement.scrollWidth - innerWidth) + ";")</script>'
        } >"$scratch/probe.html"
        browse "$scratch/probe.html" "$size" --dump-dom
        cp "$scratch/out" "$scratch/dom"
        : >"$scratch/out"
        [ "$(found wide)" -le 0 ] || fail "suite.html, $size: $(found wide) px wider than the screen"
        for run in 1-1 2-1; do
                grep -q "default/faulty/$run" "$scratch/dom" || fail "suite.html, $size: no run $run"
        done
done

browse "$scratch/same.html" 1280x900 --force-dark-mode --dump-dom
: >"$scratch/out"
browse "$scratch/same.html" 1280x900 --no-pdf-header-footer --print-to-pdf="$scratch/same.pdf"
[ "$(stat -c %s "$scratch/same.pdf")" -gt 50000 ] || fail "no plots of the comparison on paper"

browse "$scratch/passed/report.html" 1280x900 --no-pdf-header-footer --print-to-pdf="$scratch/report.pdf"
[ "$(stat -c %s "$scratch/report.pdf")" -gt 100000 ] || fail "no plots on paper"

if [ -n "${PICTURES:-}" ]; then
        drawing=(--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader)
        # In flight.
        { cat "$scratch/passed/report.html" && echo '<script>setTimeout(() => page.view.map.setTime(17), 1000);</script>'; } >"$scratch/picture.html"
        browse "$scratch/picture.html" 1280x1960 --screenshot="$PICTURES/report.png"
        browse "$scratch/picture.html" 1280x1960 --force-dark-mode --screenshot="$PICTURES/report_dark.png"
        browse "$scratch/picture.html" 2560x1440 --screenshot="$PICTURES/report_wide.png"
        browse "$scratch/picture.html" 390x844 --screenshot="$PICTURES/report_phone.png"
        # The flights alone: the tables are tall.
        { cat "$scratch/same.html" && echo '<style>section:not(#flights) { display: none; }</style>'; } >"$scratch/flights.html"
        browse "$scratch/flights.html" 1280x1400 --screenshot="$PICTURES/compare.png"
        browse "$scratch/flights.html" 1280x1400 --force-dark-mode --screenshot="$PICTURES/compare_dark.png"
        browse "$scratch/flights.html" 390x1400 --screenshot="$PICTURES/compare_phone.png"
fi
exit 0
