# browser: Chromium without what a desk needs, which starts sooner, or the whole of it. Source it behind expect.bash.
# shellcheck shell=bash disable=SC2034
browser=$(command -v chromium-headless-shell || command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        needs chromium-headless-shell chromium-headless-shell
