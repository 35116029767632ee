package dev.equipoise.app.schedule;

import org.springframework.beans.factory.BeanFactory;

/** Runs scheduled tasks of a service, also of one whose scheduler is off. */
public final class TestingSchedulerLoop {

    private TestingSchedulerLoop() {}

    /** Declares workers lost whose session timeout has expired. */
    public static void loseSilentWorkers(BeanFactory service) {
        service.getBean(SchedulerLoop.class).loseSilentWorkers();
    }

    /** Reconfigures runs whose grace period has expired. */
    public static void endGracePeriods(BeanFactory service) {
        service.getBean(SchedulerLoop.class).endGracePeriods();
    }

    /** Makes one scheduling pass. */
    public static void giveWork(BeanFactory service) {
        service.getBean(SchedulerLoop.class).giveWork();
    }
}
