# Notes what was tested in containers and what was not, for the end of ./equipoise test. Sourced, with home set.

container_parts='database images lab'
tested_parts=''

note_container_test() { # PART WHAT
    tested_parts="$tested_parts $1"
    note_on_containers "$1: tested: $2"
}

# Notes the reason for each part that has no note yet.
note_without_container() { # REASON
    for part in $container_parts; do
        case " $tested_parts " in
            *" $part "*) ;;
            *) note_on_containers "$part: not tested in containers: $1" ;;
        esac
    done
}

note_on_containers() { # LINE
    mkdir -p "$home/target"
    printf '%s\n' "$1" >>"$home/target/containers.txt"
}
