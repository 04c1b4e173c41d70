# Sourced by ./verify: the programs that tests drive. A browser shows the page (its tests fail without one),
# zsh shows completion (its test is skipped without it). Where Debian's packages can be installed they are;
# anywhere else this says what is missing, and the tests still run.

on_path() { # NAME...: one of them
    local name
    for name in "$@"; do
        type -P "$name" >/dev/null && return 0
    done
    return 1
}

missing_packages() {
    # The names the tests look for; CHROMIUM names another browser to them.
    [[ -n ${CHROMIUM:-} ]] || on_path chromium chromium-browser google-chrome || echo chromium
    on_path zsh || echo zsh
}

install_missing() {
    local package packages said
    mapfile -t packages < <(missing_packages)
    ((${#packages[@]})) || return 0
    if ! on_path apt-get || ((EUID != 0)); then
        echo "verify: no ${packages[*]} here, and only root can install packages with apt-get; some tests will miss them" >&2
        return 0
    fi
    echo "verify: installing ${packages[*]} for the tests ..." >&2
    local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
    # Old lists may still do, so a failure here is told by the install.
    "${apt[@]}" update >/dev/null 2>&1
    for package in "${packages[@]}"; do
        said=$("${apt[@]}" install -y "$package" 2>&1 </dev/null) ||
            echo "verify: $package could not be installed: ${said##*$'\n'}" >&2
    done
}
