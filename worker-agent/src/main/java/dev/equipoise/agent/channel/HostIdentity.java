package dev.equipoise.agent.channel;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Tells whether two processes run on the same machine, under the same start of its kernel. */
public final class HostIdentity {

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private HostIdentity() {}

    /**
     * The same in all processes of this machine, and on Linux in those of no other one; elsewhere
     * it rests on the machine's name.
     */
    public static UUID local() {
        try {
            return UUID.fromString(Files.readString(BOOT).strip());
        } catch (IOException | IllegalArgumentException _) {
            // No Linux: the name is the best there is.
            return UUID.nameUUIDFromBytes(name().getBytes(StandardCharsets.UTF_8));
        }
    }

    private static String name() {
        try {
            return InetAddress.getLocalHost().toString();
        } catch (IOException _) {
            return ManagementFactory.getRuntimeMXBean().getName();
        }
    }
}
