// One button that plays, one slider, one speed: whatever shows a time of a flight.

const flightPlayer = (function () {
const $ = (id) => document.getElementById(id);
const frame_ms = 33;
const speeds = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100];

// A script says:
//   end        of the flight; it opens there, and does not show that by itself
//   show(t)    whenever another time is to be shown, from wherever
//   moved(t)   the time was changed here
function open(shows) {
        const slider = $("time");
        let { end } = shows, now = end, playing = 0, before = 0;

        function setTime(t) {
                now = Math.min(Math.max(t, 0), end);
                slider.value = String(now);
                shows.show(now);
                const place = $("place");
                slider.setAttribute("aria-valuetext", place && place.textContent ? place.textContent : `${now.toFixed(2)} s`);
        }

        function play(on) {
                clearTimeout(playing);
                playing = 0;
                $("play").textContent = on ? "Pause" : "Play";
                if (!on) return;
                if (now >= end) now = 0;
                before = performance.now();
                playing = setTimeout(function next() {
                        const at = performance.now();
                        setTime(now + (at - before) / 1000 * +$("speed").value);
                        before = at;
                        shows.moved(now);
                        if (now >= end) play(false);
                        else playing = setTimeout(next, frame_ms);
                }, frame_ms);
        }

        slider.max = slider.value = String(end);
        slider.step = String(end / 1000);
        slider.value = String(end);
        slider.addEventListener("input", () => { play(false); setTime(+slider.value); shows.moved(now); });
        $("play").addEventListener("click", () => play(!playing));
        for (const speed of speeds) $("speed").append(page.option(`${speed} ×`, speed));
        $("speed").value = String(speeds.find((speed) => end / speed <= 20) || speeds[speeds.length - 1]);
        return { setTime: (t) => { play(false); setTime(t); }, toggle: () => play(!playing) };
}

return { open };
})();
