# bash completion for hilrig
# shellcheck shell=bash disable=SC2207

_hilrig() {
        local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
        local command=${COMP_WORDS[1]} options=

        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
                COMPREPLY=($(compgen -W 'run check ports capture suite compare replay report latency calibrate conform fc bench --help --version' -- "$current"))
                return
        fi
        case $before in
        --pace)
                COMPREPLY=($(compgen -W 'realtime lockstep' -- "$current"))
                return
                ;;
        --scenario | --params | --config)
                COMPREPLY=($(compgen -f -X '!*.json' -- "$current") $(compgen -d -- "$current"))
                return
                ;;
        --from | --record)
                COMPREPLY=($(compgen -f -X '!*.sr' -- "$current") $(compgen -d -- "$current"))
                return
                ;;
        --protocol)
                COMPREPLY=($(compgen -W 'PWM ONESHOT125 ONESHOT42 MULTISHOT PROSHOT1000 DSHOT150 DSHOT300 DSHOT600 DSHOT1200' -- "$current"))
                return
                ;;
        --polarity)
                COMPREPLY=($(compgen -W 'auto normal inverted' -- "$current"))
                return
                ;;
        --axis)
                COMPREPLY=($(compgen -W 'roll pitch yaw' -- "$current"))
                return
                ;;
        --out | --run | --baseline)
                COMPREPLY=($(compgen -d -- "$current"))
                return
                ;;
        --schema)
                COMPREPLY=($(compgen -W 'rig vehicle world scenario flight_controller imu_part gps_part baro_part mag_part sonar_part flow_part suite' -- "$current"))
                return
                ;;
        --seconds | --seed | --only | --set | --link | --priority | --vehicle | --repeat | --jobs | --alpha | --same-within | --begin-s | --amplitude-dps | --bits | --chip-us | --repetitions | --filter | --rotors | --period-us | --align | --silence | --wait | --source | --rate | --pads | --range | --glitch)
                return
                ;;
        --step)
                COMPREPLY=($(compgen -W 'hello answers versions hello_again framing damage malformed unknown numbers losses blocks disarmed extremes rates time_sync options arm input duty motion recovery restart goodbye failsafe lockstep repeats' -- "$current"))
                return
                ;;
        esac
        case $command in
        run) options='--scenario --pace --seconds --seed --out --set --json --help' ;;
        check) options='--set --scenario --resolved --schema --devices --codecs --help' ;;
        conform) options='--link --rotors --period-us --seconds --align --silence --wait --limit --no-arm --step --list --json --help' ;;
        fc) options='--link --params --priority --once --quiet --help' ;;
        replay | report) options='--help' ;;
        suite) options='--baseline --repeat --jobs --only --seed --list --set --out --fly-again --html --junit --help' ;;
        compare) options='--json --html --alpha --same-within --help' ;;
        latency) options='--run --hover --jig --scenario --begin-s --vehicle --axis --amplitude-dps --bits --chip-us --repetitions --seconds --filter --pace --seed --set --out --json --help' ;;
        ports) options='--json --help' ;;
        capture) options='--source --from --rate --pads --protocol --polarity --range --3d --glitch --seconds --record --words --json --help' ;;
        calibrate) options='--vehicle --json --help' ;;
        bench) options='plant sensors models world decode motor_frames hil_sensor link realtime --config --help' ;;
        esac
        case $current in
        -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
        *)
                case $command in
                run | check | suite | latency)
                        COMPREPLY=($(compgen -f -X '!*.json' -- "$current") $(compgen -d -- "$current"))
                        ;;
                replay | calibrate | report | compare) COMPREPLY=($(compgen -d -- "$current")) ;;
                *) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
                esac
                ;;
        esac
}

complete -o filenames -F _hilrig hilrig
