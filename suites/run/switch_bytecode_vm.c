// A small register machine with calls and a stack, by switch in a loop.
#include <stdio.h>
enum { LDI, MOV, ADD, SUB, MUL, CMP, JZ, JMP, CALL, RET, PUSH, POP, OUT, HLT };
struct vm { int r[4], st[64], sp, pc, z; long steps; };
struct ins { unsigned char op, a; int b; };
static int run(struct vm *m, const struct ins *p) {
    for (;;) {
        const struct ins *i = &p[m->pc++];
        m->steps++;
        switch (i->op) {
            case LDI: m->r[i->a] = i->b;
            break;
            case MOV: m->r[i->a] = m->r[i->b];
            break;
            case ADD: m->r[i->a] += m->r[i->b];
            break;
            case SUB: m->r[i->a] -= m->r[i->b];
            break;
            case MUL: m->r[i->a] *= m->r[i->b];
            break;
            case CMP: m->z = m->r[i->a] == m->r[i->b];
            break;
            case JZ: if (!m->z) break;
            /* fall through */ case JMP: m->pc = i->b;
            break;
            case CALL: if (m->sp > 60) return -1;
            m->st[m->sp++] = m->pc;
            m->pc = i->b;
            break;
            case RET: m->pc = m->st[--m->sp];
            break;
            case PUSH: m->st[m->sp++] = m->r[i->a];
            break;
            case POP: m->r[i->a] = m->st[--m->sp];
            break;
            case OUT: printf("out %d\n", m->r[i->a]);
            break;
            case HLT: return m->r[0];
            default: return -2;
        }
    }
}
int main(void) {
    const struct ins fact[] = {{LDI, 1, 10}, {LDI, 2, 1}, {LDI, 3, 0}, {CALL, 0, 6}, {OUT, 0}, {HLT}, {CMP, 1, 3}, {JZ, 0, 14}, {PUSH, 1}, {SUB, 1, 2}, {CALL, 0, 6}, {POP, 1}, {MUL, 0, 1}, {RET}, {LDI, 0, 1}, {RET}};
    struct vm m = {0};
    int r = run(&m, fact);
    printf("%d %ld %d\n", r, m.steps, m.sp);
    struct vm bad = {0};
    printf("%d\n", run(&bad, (struct ins[]){{CALL, 0, 0}}));
    printf("%d\n", run(&(struct vm){0}, (struct ins[]){{77}}));
    return m.steps & 0x7f;
}
