package dev.equipoise.launcher;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The network namespace of one emulated machine, with its own address and a virtual cable to a
 * switch that also connects this machine. Needs Linux and root.
 */
final class Namespace implements AutoCloseable {

    /** Makes names unique for each JVM, so that two builds on one machine do not collide. */
    private static final long PID = ProcessHandle.current().pid();

    private static final String PREFIX = "eqc";
    private static final String SWITCH = PREFIX + PID;

    /** Disjoint from 10.213.0.0/16, which the Docker engine of the tests gives to containers. */
    private static final String NETWORK = "10.214." + PID % 256;

    /** Address of this machine for the others. */
    static final String HOST = NETWORK + ".1";

    private static final String PROBE =
            """
            ip netns add eqc-probe-$$
            ip netns delete eqc-probe-$$
            ip link add eqcp$$ type bridge
            ip link delete eqcp$$
            tc qdisc show >/dev/null
            folder=$(mktemp -d)
            mount -t tmpfs tmpfs "$folder"
            umount "$folder"
            rmdir "$folder"
            """;

    /**
     * Removes namespaces, bridges and mounts of dead processes; their names contain the process id.
     */
    private static final String CLEANUP =
            """
            for name in $(ip -o netns list | grep -o '^eqc[0-9]*-[0-9]*'); do
                pid=${name#eqc}
                [ -d "/proc/${pid%-*}" ] || ip netns delete "$name"
            done
            for name in $(ip -o link show type bridge | grep -o 'eqc[0-9]*'); do
                [ -d "/proc/${name#eqc}" ] || ip link delete "$name"
            done
            grep '^eqc[0-9]* ' /proc/mounts | while read -r source folder rest; do
                [ -d "/proc/${source#eqc}" ] || umount "$folder"
            done
            """;

    private final int number;

    private Namespace(int number) {
        this.number = number;
    }

    /** Returns whether this machine lets a test create networks and mounts. */
    static boolean arePossible() {
        return TestingTool.succeeds("sh", "-ec", PROBE);
    }

    /** Creates the switch without any machine; removes what killed builds have left behind. */
    static void createSwitch() throws IOException, InterruptedException {
        TestingTool.run("sh", "-c", CLEANUP);
        TestingTool.run("ip", "link", "add", SWITCH, "type", "bridge");
        TestingTool.run("ip", "address", "add", HOST + "/24", "dev", SWITCH);
        TestingTool.run("ip", "link", "set", SWITCH, "up");
    }

    /** Returns the source of a memory disk, by which the cleanup finds it. */
    static String mountSource() {
        return SWITCH;
    }

    static void deleteSwitch() {
        TestingTool.succeeds("ip", "link", "delete", SWITCH);
    }

    /**
     * Creates a machine that is connected to the switch.
     *
     * @param number unique number, from 2 to 254
     */
    static Namespace of(int number) throws IOException, InterruptedException {
        var made = new Namespace(number);
        TestingTool.run("ip", "netns", "add", made.name());
        TestingTool.run(
                "ip",
                "link",
                "add",
                made.cable(),
                "type",
                "veth",
                "peer",
                "name",
                "eth0",
                "netns",
                made.name());
        TestingTool.run("ip", "link", "set", made.cable(), "master", SWITCH, "up");
        made.inside("ip", "link", "set", "lo", "up");
        made.inside("ip", "address", "add", made.address() + "/24", "dev", "eth0");
        made.inside("ip", "link", "set", "eth0", "up");
        return made;
    }

    private String name() {
        return "%s%d-%d".formatted(PREFIX, PID, number);
    }

    private String cable() {
        return "eqw%d-%d".formatted(PID, number);
    }

    String address() {
        return NETWORK + "." + number;
    }

    /** Returns the command prefix that runs a command in this namespace. */
    List<String> prefix() {
        return List.of("ip", "netns", "exec", name());
    }

    /** Disconnects the machine in both directions. */
    void cut() throws IOException, InterruptedException {
        TestingTool.run("ip", "link", "set", cable(), "down");
    }

    /** Drops everything that the machine sends; it still receives. */
    void mute() throws IOException, InterruptedException {
        // A queue that is too small for any packet drops every packet.
        inside("tc", "qdisc", "replace", "dev", "eth0", "root", "bfifo", "limit", "1");
    }

    /** Limits the bandwidth in both directions. */
    void narrow(String rate) throws IOException, InterruptedException {
        inside(
                "tc", "qdisc", "replace", "dev", "eth0", "root", "tbf", "rate", rate, "burst",
                "64kb", "latency", "100ms");
        TestingTool.run(
                "tc", "qdisc", "replace", "dev", cable(), "root", "tbf", "rate", rate, "burst",
                "64kb", "latency", "100ms");
    }

    void heal() throws IOException, InterruptedException {
        TestingTool.run("ip", "link", "set", cable(), "up");
        TestingTool.succeeds("tc", "qdisc", "delete", "dev", cable(), "root");
        TestingTool.succeeds(
                "ip", "netns", "exec", name(), "tc", "qdisc", "delete", "dev", "eth0", "root");
    }

    private void inside(String... command) throws IOException, InterruptedException {
        TestingTool.run(
                Stream.concat(prefix().stream(), Stream.of(command)).toArray(String[]::new));
    }

    @Override
    public void close() {
        TestingTool.succeeds("ip", "netns", "delete", name());
    }
}
