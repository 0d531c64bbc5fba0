use caulk_base::{Id, define_id};
use caulk_ssa::{Cfg, Graph, LiveRange, Liveness, UseDef};

use crate::support::{Node, Random, cfg, for_random_graphs, list};

define_id!(Variable, "x", "A variable.");

#[derive(Clone, Copy, PartialEq)]
enum Step {
    Read(Variable),
    Write(Variable),
}

type Code = Vec<Vec<Step>>;

const VARIABLES: usize = 4;

fn random_code(graph: &Graph<Node>, random: &mut Random) -> Code {
    let mut step = || {
        let variable = Variable::from_index(random.below(VARIABLES));
        if random.chance(2) { Step::Read(variable) } else { Step::Write(variable) }
    };
    let length = |node: Node| [0, 0, 1, 3][node.index() % 4];
    graph.nodes().map(|node| (0..length(node)).map(|_| step()).collect()).collect()
}

fn record(code: &Code) -> UseDef<Node, Variable> {
    let mut facts = UseDef::new(VARIABLES);
    for (block, steps) in code.iter().enumerate() {
        for &step in steps {
            match step {
                Step::Read(variable) => facts.read(Node::from_index(block), variable),
                Step::Write(variable) => facts.write(Node::from_index(block), variable),
            }
        }
    }
    facts
}

/// Whether some walk from the start of `block` reads `variable` before writing it.
fn live_at_start(graph: &Graph<Node>, code: &Code, block: Node, variable: Variable) -> bool {
    let mut seen = vec![false; graph.node_count()];
    let mut pending = vec![block];
    while let Some(block) = pending.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        let (read, write) = (Step::Read(variable), Step::Write(variable));
        match code[block.index()].iter().find(|&&step| step == read || step == write) {
            Some(Step::Read(_)) => return true,
            Some(Step::Write(_)) => {}
            None => pending.extend(graph.successors(block)),
        }
    }
    false
}

#[test]
fn liveness_agrees_with_walks() {
    for_random_graphs(|cfg, random| {
        let graph = cfg.graph();
        let code = random_code(graph, random);
        let liveness = Liveness::new(graph, &record(&code));
        let live = |block: Node| {
            let variables = (0..VARIABLES).map(Variable::from_index);
            variables.filter(|&v| live_at_start(graph, &code, block, v)).collect::<Vec<_>>()
        };
        for block in graph.nodes() {
            assert_eq!(liveness.at_start(block), live(block), "start of {block}");
            let mut after: Vec<Variable> =
                graph.successors(block).iter().flat_map(|&next| live(next)).collect();
            after.sort_unstable();
            after.dedup();
            assert_eq!(liveness.at_end(block), after, "end of {block}");
        }
    });
}

#[test]
fn the_range_of_one_variable_is_its_column_of_the_sets() {
    for_random_graphs(|cfg, random| {
        let uses = random.subset(cfg.graph().nodes(), 4);
        let defs = random.subset(cfg.graph().nodes(), 4);
        let mut facts = UseDef::new(1);
        for block in cfg.graph().nodes() {
            let (read, write) = (uses.contains(&block), defs.contains(&block));
            read.then(|| facts.read(block, Variable(0)));
            write.then(|| facts.write(block, Variable(0)));
        }
        let liveness = Liveness::new(cfg.graph(), &facts);
        let mut range = LiveRange::new(cfg.graph(), &uses, &defs);
        range.at_start.sort_unstable();
        range.at_end.sort_unstable();
        let column = |live: &dyn Fn(Node) -> bool| -> Vec<Node> {
            cfg.graph().nodes().filter(|&node| live(node)).collect()
        };
        let at_start = column(&|block| liveness.is_live_at_start(block, Variable(0)));
        let at_end = column(&|block| liveness.is_live_at_end(block, Variable(0)));
        assert_eq!(range, LiveRange { at_start, at_end });
    });
}

fn rows(cfg: &Cfg<Node>, liveness: &Liveness<Node, Variable>) -> Vec<String> {
    let row = |node| format!("{} | {}", list(liveness.at_start(node)), list(liveness.at_end(node)));
    cfg.graph().nodes().map(row).collect()
}

/// x0 is set before the loop and read after it; x1 is set and read in the loop.
#[test]
fn a_value_lives_through_a_loop() {
    let cfg = cfg("0 1, 1 2 3, 2 1");
    let (x0, x1) = (Variable(0), Variable(1));
    let code = vec![
        vec![Step::Write(x0)],
        vec![Step::Write(x1), Step::Read(x1)],
        vec![],
        vec![Step::Read(x0)],
    ];
    let liveness = Liveness::new(cfg.graph(), &record(&code));
    assert_eq!(rows(&cfg, &liveness), [" | x0", "x0 | x0", "x0 | x0", "x0 | "]);
}

#[test]
fn a_read_before_the_write_of_its_block_goes_round_the_loop() {
    let cfg = cfg("0 1, 1 1 2");
    let x0 = Variable(0);
    let code = vec![vec![], vec![Step::Read(x0), Step::Write(x0)], vec![]];
    let liveness = Liveness::new(cfg.graph(), &record(&code));
    assert_eq!(rows(&cfg, &liveness), ["x0 | x0", "x0 | x0", " | "]);
}
