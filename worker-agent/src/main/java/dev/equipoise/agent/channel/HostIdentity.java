package dev.equipoise.agent.channel;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;

/** Identifies the host that a process runs on, by the current boot of its kernel. */
public final class HostIdentity {

    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private HostIdentity() {}

    /**
     * Returns an id that all processes of this host share. On Linux no other host has it; elsewhere
     * it is derived from the host name.
     */
    public static UUID local() {
        try {
            return UUID.fromString(Files.readString(BOOT).strip());
        } catch (IOException | IllegalArgumentException _) {
            // Not Linux: fall back to the host name.
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
