# Prints image labels that name the commit. Sourced, with home set.

# Prints the labels of an image that only git knows, one a line; none if the sources are in no repository of their own.
origin_labels() {
    # An unpacked archive may be in the repository of another project.
    [ "$(git -C "$home" rev-parse --show-toplevel 2>/dev/null)" = "$home" ] || return 0
    changes=$(git -C "$home" status --porcelain)
    echo "org.opencontainers.image.revision=$(git -C "$home" rev-parse HEAD)${changes:+-dirty}"
    echo "org.opencontainers.image.created=$(TZ=UTC git -C "$home" log -1 --format=%cd --date=format-local:%Y-%m-%dT%H:%M:%SZ)"
    # Any other address may hold a password or name a folder.
    git -C "$home" remote get-url origin 2>/dev/null |
        sed -n 's,^https://[A-Za-z0-9._~/:-]*$,org.opencontainers.image.source=&,p'
}
