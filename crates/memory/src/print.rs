//! Memory SSA as text, for Graphviz, and as JSON: per function its effects, and per region that
//! its instructions touch, the versions and who reads them.

use std::fmt::{self, Write};

use caulk_ir::{Inst, InstId, ValueId};
use caulk_pointer::{Items, Names};
use caulk_program::InstanceId;
use serde_json::{Value, json};

use crate::chain::{Chain, Use, Version, VersionId};
use crate::memory::{Memory, View};
use crate::region_set::RegionSet;
use crate::regions::RegionId;

pub struct Printer<'a, 'p> {
    pub memory: &'a Memory<'p>,
    pub names: Names<'a>,
}

impl Printer<'_, '_> {
    /// The instances of the functions with this name, or all.
    pub fn instances<'s>(
        &'s self,
        function: Option<&'s str>,
    ) -> impl Iterator<Item = InstanceId> + 's {
        let input = self.memory.input();
        input.instances.rows.iter().filter_map(move |(id, row)| {
            let name = &input.program.procs[row.proc].name;
            function.is_none_or(|wanted| name == wanted).then_some(id)
        })
    }

    /// # Errors
    /// Those of the writer, here and below.
    pub fn text(&self, function: Option<&str>, out: &mut dyn Write) -> fmt::Result {
        self.instances(function).try_for_each(|instance| out.write_str(&self.function(instance)))
    }

    fn function(&self, instance: InstanceId) -> String {
        let effects = self.memory.effects(instance);
        let mut text = format!("{} {instance}\n", self.names.instance(instance));
        let _ = writeln!(text, "  reads {}", set(&effects.reads));
        let _ = writeln!(text, "  writes {}", set(&effects.writes));
        for (value, places, all) in self.refined(instance) {
            let _ = writeln!(text, "  {value} means {{{}}}, of {all}", places.join(", "));
        }
        for (region, view) in self.chains(instance) {
            text += &self.chain(instance, region, view);
        }
        text + "\n"
    }

    /// The addresses that mean less than points-to says (S2), what they mean, and out of how many
    /// locations.
    fn refined(&self, instance: InstanceId) -> Vec<(ValueId, Vec<String>, usize)> {
        let refined = self.memory.refined(instance);
        let points_to = self.names.points_to;
        let row = |address: ValueId| {
            let places = refined.places(address)?.iter();
            let names = places.map(|&it| self.names.location(it)).collect();
            Some((address, names, points_to.set(points_to.value(instance, address)).len()))
        };
        refined.addresses().into_iter().filter_map(row).collect()
    }

    /// The regions that the function's own instructions touch, each with the view of its newest
    /// object where the function makes it. What only callees touch is among the effects.
    fn chains(&self, instance: InstanceId) -> Vec<(RegionId, View)> {
        let memory = self.memory;
        let own = memory.accesses(instance).rows.iter().flat_map(|row| [row.reads, row.writes]);
        let mut regions: Vec<RegionId> =
            own.flat_map(|footprint| memory.regions().of_footprint(footprint)).copied().collect();
        regions.sort_unstable();
        regions.dedup();
        let with_views = |region: RegionId| {
            let newest = memory.made_by(instance, region).map(View::Newest);
            std::iter::once(View::All).chain(newest).map(move |view| (region, view))
        };
        regions.into_iter().flat_map(with_views).collect()
    }

    fn chain(&self, instance: InstanceId, region: RegionId, view: View) -> String {
        let chain = self.memory.make_chain(instance, region, view);
        let mut text = format!("  {region}{} = {}\n", of_view(view), self.locations(region));
        for (id, version) in chain.versions().iter() {
            let _ = writeln!(text, "    {id} = {}", self.version(instance, version));
        }
        for (inst, version) in reads(&chain) {
            let _ = writeln!(text, "    μ({version}) at {}", self.at(instance, inst));
        }
        for &(block, version) in chain.returns() {
            let _ = writeln!(text, "    μ({version}) at the return of {block}");
        }
        text
    }

    fn locations(&self, region: RegionId) -> String {
        format!("{{{}}}", self.location_names(region).join(", "))
    }

    fn location_names(&self, region: RegionId) -> Vec<String> {
        if self.memory.regions().is_wild(region) {
            return vec!["wild".to_string()];
        }
        let locations = self.memory.regions().locations(region).iter();
        locations.map(|&it| self.names.location(it)).collect()
    }

    fn version(&self, instance: InstanceId, version: &Version) -> String {
        match version {
            Version::Entry => "entry".to_string(),
            Version::Written { inst, previous: Some(previous) } => {
                format!("χ({previous}) at {}", self.at(instance, *inst))
            }
            Version::Written { inst, previous: None } => {
                format!("strong at {}", self.at(instance, *inst))
            }
            Version::Joined { block, operands } => {
                let operands: Vec<String> = operands.iter().map(|(_, it)| it.to_string()).collect();
                format!("φ({}) at {block}", operands.join(", "))
            }
        }
    }

    /// `i12 store case.c:7`.
    fn at(&self, instance: InstanceId, inst: InstId) -> String {
        let input = self.memory.input();
        let body = self.memory.body(instance);
        let module = input.program.procs[input.instances.proc(instance)].module;
        let place = input.program.place(module, body.inst_spans[inst]);
        format!("{inst} {} {}", kind(&body.insts[inst]), place.as_deref().unwrap_or("?"))
    }

    /// # Errors
    /// See [`Printer::text`].
    pub fn dot(&self, function: Option<&str>, out: &mut dyn Write) -> fmt::Result {
        out.write_str("digraph memory {\n  node [shape=box];\n")?;
        for instance in self.instances(function) {
            for (region, view) in self.chains(instance) {
                self.chain_dot(instance, region, view, out)?;
            }
        }
        out.write_str("}\n")
    }

    fn chain_dot(
        &self,
        instance: InstanceId,
        region: RegionId,
        view: View,
        out: &mut dyn Write,
    ) -> fmt::Result {
        let chain = self.memory.make_chain(instance, region, view);
        let name =
            |version: VersionId| format!("\"{instance} {region}{} {version}\"", of_view(view));
        for (id, version) in chain.versions().iter() {
            let label = quoted(&format!("{region} {id} = {}", self.version(instance, version)));
            writeln!(out, "  {} [label={label}];", name(id))?;
            for used in chain.uses(id) {
                if let Use::Kept(to) | Use::Joined(to) = *used {
                    writeln!(out, "  {} -> {};", name(id), name(to))?;
                }
            }
        }
        Ok(())
    }

    /// # Errors
    /// See [`Printer::text`].
    pub fn json(&self, function: Option<&str>, out: &mut dyn Write) -> fmt::Result {
        out.write_str("{\"functions\": ")?;
        let mut functions = Items::begin(out)?;
        for instance in self.instances(function) {
            functions.add(&self.function_json(instance).to_string())?;
        }
        functions.end()?;
        out.write_str("}\n")
    }

    fn function_json(&self, instance: InstanceId) -> Value {
        let effects = self.memory.effects(instance);
        let list = |set: &RegionSet| set.iter().map(|it| it.to_string()).collect::<Vec<_>>();
        let chains: Vec<Value> = self
            .chains(instance)
            .into_iter()
            .map(|(region, view)| self.chain_json(instance, region, view))
            .collect();
        let refined: Vec<Value> = self
            .refined(instance)
            .into_iter()
            .map(|(value, places, of)| json!({"value": value.to_string(), "means": places, "of": of}))
            .collect();
        json!({
            "id": instance.to_string(), "name": self.names.instance(instance),
            "reads": list(&effects.reads), "writes": list(&effects.writes),
            "refined": refined, "chains": chains,
        })
    }

    fn chain_json(&self, instance: InstanceId, region: RegionId, view: View) -> Value {
        let chain = self.memory.make_chain(instance, region, view);
        let locations = self.location_names(region);
        let versions: Vec<Value> = chain
            .versions()
            .iter()
            .map(|(id, it)| json!({"id": id.to_string(), "is": self.version(instance, it)}))
            .collect();
        let read = |(inst, version): (InstId, VersionId)| json!({"at": self.at(instance, inst), "version": version.to_string()});
        let reads: Vec<Value> = reads(&chain).into_iter().map(read).collect();
        json!({
            "region": region.to_string(), "newest_of": newest_of(view), "locations": locations,
            "versions": versions, "reads": reads,
        })
    }
}

fn of_view(view: View) -> String {
    newest_of(view).map_or_else(String::new, |inst| format!(" newest of {inst}"))
}

fn newest_of(view: View) -> Option<String> {
    match view {
        View::All => None,
        View::Newest(inst) => Some(inst.to_string()),
    }
}

fn set(regions: &RegionSet) -> String {
    let names: Vec<String> = regions.iter().map(|region| region.to_string()).collect();
    if names.is_empty() { "nothing".to_string() } else { names.join(" ") }
}

fn reads(chain: &Chain) -> Vec<(InstId, VersionId)> {
    let mut rows: Vec<(InstId, VersionId)> = chain
        .versions()
        .ids()
        .flat_map(|version| chain.uses(version).iter().map(move |it| (*it, version)))
        .filter_map(|(used, version)| match used {
            Use::Read(inst) => Some((inst, version)),
            _ => None,
        })
        .collect();
    rows.sort_unstable();
    rows
}

fn kind(inst: &Inst) -> &'static str {
    match inst {
        Inst::Load { .. } | Inst::LoadBits { .. } => "load",
        Inst::Store { .. } | Inst::StoreBits { .. } => "store",
        Inst::Copy { .. } => "copy",
        Inst::Fill { .. } => "fill",
        Inst::Call(_) => "call",
        Inst::ScopeBegin(_) => "scope",
        Inst::VaStart { .. } | Inst::VaArg { .. } | Inst::VaCopy { .. } | Inst::VaEnd { .. } => {
            "va"
        }
        Inst::AtomicRmw { .. } | Inst::CompareExchange { .. } => "atomic",
        Inst::Asm(_) => "asm",
        _ => "other",
    }
}

pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
