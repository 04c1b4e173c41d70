# Sourced by ./heatline and ./verify: sets JAVA_HOME to a JDK 25 or newer, or says that there is none.
# Versions are read from the JDK's "release" file, because starting a JVM to ask would cost more than
# most commands.

jdk_fits() { # DIRECTORY
    local line
    [[ -x $1/bin/javac && -r $1/release ]] || return 1
    while read -r line; do
        [[ $line =~ ^JAVA_VERSION=\"?([0-9]+) ]] && ((BASH_REMATCH[1] >= 25)) && return 0
    done <"$1/release"
    return 1
}

find_jdk() {
    local home
    for home in "${HEATLINE_JAVA_HOME:-}" "${JAVA_HOME:-}" /usr/lib/jvm/* /opt/* \
        "${SDKMAN_DIR:-${HOME:-}/.sdkman}"/candidates/java/*; do
        if [[ -n $home ]] && jdk_fits "$home"; then
            export JAVA_HOME=$home
            return 0
        fi
    done
    if home=$(command -v java) && home=$(readlink -f "$home") && jdk_fits "${home%/bin/java}"; then
        export JAVA_HOME=${home%/bin/java}
        return 0
    fi
    echo "heatline: needs JDK 25 or newer and found none; install one and set HEATLINE_JAVA_HOME to its directory" >&2
    return 1
}

# Maven's own libraries call what JDK 25 warns about; .mvn/jvm.config cannot hold these options,
# because an older JDK would not even start with them.
maven() {
    MAVEN_OPTS="--enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow ${MAVEN_OPTS:-}" \
        mvn -B -ntp "$@"
}
