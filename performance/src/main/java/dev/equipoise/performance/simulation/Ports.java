package dev.equipoise.performance.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The two directions of every rank's wire, each of which one frame has at a time. A frame has the
 * sender's port, reaches the receiver's after the latency, and has that for as long, first come,
 * first served; cut-through, so that alone it takes alpha + beta m. Where a link is held back, its
 * frames wait for one another between the ports.
 */
final class Ports {

    private final Links links;
    private final double[] egress;
    private final double[] ingress;
    private final double[] busy;
    private final double[] out;
    private final Map<Long, Double> freeLinks = new HashMap<>();
    private double bytes;

    Ports(Links links, int ranks) {
        this.links = links;
        this.egress = new double[ranks];
        this.ingress = new double[ranks];
        this.busy = new double[ranks];
        this.out = new double[ranks];
    }

    /** A frame that is on its way. */
    static final class Frame {
        final int from;
        final int to;
        private final double portSeconds;
        private double reaches;
        private double arrived;

        private Frame(int from, int to, double portSeconds) {
            this.from = from;
            this.to = to;
            this.portSeconds = portSeconds;
        }

        /** When its first byte is at the receiver's port. */
        double reaches() {
            return reaches;
        }

        double arrived() {
            return arrived;
        }
    }

    /** Puts a frame on the sender's wire, behind those that are there. */
    Frame send(int from, int to, double at, double frameBytes) {
        var frame = new Frame(from, to, links.secondsPerByte(from, to) * frameBytes);
        double begins = Math.max(egress[from], at);
        egress[from] = begins + frame.portSeconds;
        busy[from] += frame.portSeconds;
        double through = through(frame, begins, frameBytes);
        out[from] = Math.max(out[from], through + frame.portSeconds);
        frame.reaches = through + links.latency(from, to);
        bytes += frameBytes;
        return frame;
    }

    /** When the last byte but those that are in the port is through what holds the link back. */
    private double through(Frame frame, double begins, double frameBytes) {
        double held = links.heldSecondsPerByte(frame.from, frame.to) * frameBytes;
        if (held == 0) {
            return begins;
        }
        long link = ((long) frame.from << Integer.SIZE) | frame.to;
        double through = Math.max(freeLinks.getOrDefault(link, 0.0), begins) + held;
        freeLinks.put(link, through + frame.portSeconds);
        return through;
    }

    /**
     * Takes a frame from the receiver's wire; frames of one receiver in the order they reach it.
     */
    double receive(Frame frame) {
        frame.arrived = Math.max(ingress[frame.to], frame.reaches) + frame.portSeconds;
        ingress[frame.to] = frame.arrived;
        return frame.arrived;
    }

    /** Takes frames of which all that compete with them are among them. */
    void receive(List<Frame> frames) {
        List<Frame> ordered = new ArrayList<>(frames);
        ordered.sort(Comparator.comparingDouble(frame -> frame.reaches));
        ordered.forEach(this::receive);
    }

    /** When all that a rank has sent is out. */
    double sentAt(int rank) {
        return out[rank];
    }

    /** Seconds for which a rank's outgoing wire was busy. */
    double busy(int rank) {
        return busy[rank];
    }

    double bytes() {
        return bytes;
    }
}
